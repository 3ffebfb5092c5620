import { get } from '../api.ts';
import { actionNames, addressOf, kindInWords, kindNames } from '../history_words.ts';
import { Avatar, Entry } from '../recipe/entry.tsx';
import { Pages } from '../recipe/pages.tsx';
import { useQuery } from '../recipe/query.ts';
import { useTitle } from '../title.ts';
import type { Revision } from '../types.ts';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { Refusal } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { usePage } from '../use.ts';
import { count, number } from '../words.ts';

/** Changes that one request made stand together. */
export const byRequest = (revisions: Revision[]): Revision[][] => [
  ...Map.groupBy(revisions, ({ requestID }) => requestID).values(),
];

const Named = ({ revision: { kind, id, name } }: { revision: Revision }) => (
  <>
    {kindInWords(kind)} <a href={addressOf(kind, id)}>{name || id}</a>
  </>
);

const most = 3;

/** What one request changed: a sentence for one thing, and a sum that unfolds for several. */
export function Request({ revisions }: { revisions: Revision[] }) {
  const [first] = revisions;
  if (!first) return null;
  if (revisions.length === 1) return <Entry revision={first} what={<Named revision={first} />} />;
  return (
    <li class="entry">
      <Avatar name={first.actorName} />
      <details class="request">
        <summary class="request-sum">
          <strong>{first.actorName}</strong> changed {count(revisions.length, 'thing')} at once{' '}
          <span class="entry-when">
            <Time at={first.time} />
          </span>{' '}
          {first.note && <q class="entry-note">{first.note}</q>}{' '}
          <span class="entry-note quiet">
            {revisions
              .slice(0, most)
              .map(({ id, name }) => name || id)
              .join(', ')}
            {revisions.length > most ? ' …' : ''}
          </span>
        </summary>
        <ol class="timeline">
          {revisions.map((revision) => (
            <Entry
              key={`${revision.kind} ${revision.id} ${revision.version}`}
              revision={revision}
              what={<Named revision={revision} />}
            />
          ))}
        </ol>
      </details>
    </li>
  );
}

const perPage = 50;
const filters = [
  { name: 'kind', label: 'Kind', options: kindNames },
  { name: 'actionType', label: 'Action', options: actionNames },
];
const texts: { name: string; label: string; type: 'text' | 'date' }[] = [
  { name: 'id', label: 'ID', type: 'text' },
  { name: 'updatedBy', label: 'Key', type: 'text' },
  { name: 'startDate', label: 'From', type: 'date' },
  { name: 'endDate', label: 'To', type: 'date' },
];

const unfit = 'No change fits these filters.';

/** Everything that anybody changed. */
export function AuditLog() {
  useTitle('Audit log');
  const { query, set, toPage } = useQuery();
  const { page = '1', ...asked } = query;
  const isAsked = Object.keys(asked).length > 0;
  const path = `/audit_logs?${new URLSearchParams({ ...asked, page, limit: String(perPage) })}`;
  const { value, problem, again, isOld } = usePage(path, () => get<Revision[]>(path));
  return (
    <>
      <div class="page-head">
        <h1 class="page-title">
          Audit log
          {value && <span class="page-count">{number(value.pagination.totalItems)}</span>}
        </h1>
      </div>
      <AuditFilters
        query={query}
        onChange={(name, given) => set({ [name]: given, page: '' }, true)}
      />
      {problem && <Refusal problem={problem} onAgain={again} />}
      {!value && !problem && <Loading lines={10} />}
      {value?.data.length === 0 && <Empty title={isAsked ? unfit : 'Nothing was changed yet.'} />}
      {value && (
        <>
          <ol class="timeline" aria-busy={isOld}>
            {byRequest(value.data).map((revisions) => (
              <Request key={revisions[0]?.requestID} revisions={revisions} />
            ))}
          </ol>
          <Pages pagination={value.pagination} page={Number(page)} onPage={toPage} />
        </>
      )}
    </>
  );
}

interface AuditFiltersProps {
  query: Record<string, string>;
  onChange: (name: string, given: string) => void;
}

const AuditFilters = ({ query, onChange }: AuditFiltersProps) => (
  <search class="filters">
    {filters.map(({ name, label, options }) => (
      <label key={name} class="filter">
        <span class="filter-label">{label}</span>
        <select
          class="input select select-small"
          value={query[name] ?? ''}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        >
          <option value="">any</option>
          {Object.entries(options).map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </select>
      </label>
    ))}
    {texts.map(({ name, label, type }) => (
      <label key={name} class="filter">
        <span class="filter-label">{label}</span>
        <input
          {...(type === 'date' ? { type } : { type: 'text' as const })}
          class={`input input-filter${type === 'date' ? ' input-filter-day' : ''}`}
          autoComplete="off"
          value={query[name] ?? ''}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        />
      </label>
    ))}
  </search>
);
