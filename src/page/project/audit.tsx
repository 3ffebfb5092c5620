import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { actionNames, addressOf, kindInWords, kindNames } from '../base/history_words.ts';
import { useTitle } from '../base/title.ts';
import type { Experiment, Revision } from '../base/types.ts';
import { useRead } from '../base/use.ts';
import { count } from '../base/words.ts';
import { Avatar, Entry } from '../entity/history/entry.tsx';
import { FilterOf } from '../entity/list/filters.tsx';
import { Ignored, useFitting } from '../entity/list/ignored.tsx';
import { useQuery } from '../entity/list/query.ts';
import { Pages } from '../entity/pages.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/field.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { Time } from '../ui/time.tsx';
import { ReadStatus } from '../ui/unread.tsx';

const RevisionSubject = ({ revision: { kind, id, name } }: { revision: Revision }) => (
  <>
    {kindInWords(kind)} <a href={addressOf(kind, id)}>{name || id}</a>
  </>
);

function RevisionEntry({ revision }: { revision: Revision }) {
  const { kind, id, changes } = revision;
  const isOfGroups = kind === 'experiment' && /groupID"/i.test(JSON.stringify(changes));
  const { value } = useRead<Experiment>(isOfGroups ? `/experiments/${encodeURIComponent(id)}` : '');
  return (
    <Entry revision={revision} what={<RevisionSubject revision={revision} />} state={value?.data} />
  );
}

const maxNames = 3;

function RequestEntry({ revisions }: { revisions: Revision[] }) {
  const [first] = revisions;
  if (!first) return null;
  if (revisions.length === 1) return <RevisionEntry revision={first} />;
  return (
    <li class="entry">
      <Avatar name={first.actorName} />
      <details class="request">
        <summary class="request-sum">
          <strong>{first.actorName}</strong> changed {count(revisions.length, 'thing')} together{' '}
          <span class="entry-when">
            <Time at={first.time} />
          </span>{' '}
          {first.note && <q class="entry-note">{first.note}</q>}{' '}
          <span class="entry-note quiet">
            {revisions
              .slice(0, maxNames)
              .map(({ id, name }) => name || id)
              .join(', ')}
            {revisions.length > maxNames ? ' …' : ''}
          </span>
        </summary>
        <ol class="timeline">
          {revisions.map((revision) => (
            <RevisionEntry
              key={`${revision.kind} ${revision.id} ${revision.version}`}
              revision={revision}
            />
          ))}
        </ol>
      </details>
    </li>
  );
}

interface TimelineProps {
  revisions: Revision[];
  isOld?: boolean;
}

const Timeline = ({ revisions, isOld }: TimelineProps) => (
  <ol class="timeline" aria-busy={isOld}>
    {[...Map.groupBy(revisions, ({ requestID }) => requestID)].map(([id, together]) => (
      <RequestEntry key={id} revisions={together} />
    ))}
  </ol>
);

const perPage = 50;
const filters = () => [
  { name: 'kind', label: 'Kind', options: kindNames() },
  { name: 'actionType', label: 'Action', options: actionNames },
];
const text = { type: 'text', class: 'input input-filter' } as const;
const day = { type: 'date', class: 'input input-filter input-filter-day' } as const;
const texts = [
  { name: 'id', label: 'ID', as: text },
  { name: 'updatedBy', label: 'Key', as: text },
  { name: 'startDate', label: 'From (UTC)', as: day },
  { name: 'endDate', label: 'To', as: day },
];

const acceptedValue = (as: typeof text | typeof day, value = '') =>
  as === text || /^\d{4}-\d\d-\d\d$/.test(value) ? value : '';

const noMatch = 'No changes match these filters.';

const auditPath = ({ page = '1', ...asked }: Record<string, string>) =>
  `/audit_logs?${new URLSearchParams({ ...asked, page, limit: String(perPage) })}`;

/** The changes of all people and keys. */
export function AuditLog() {
  useTitle('Audit log');
  const { query, set, toPage } = useQuery();
  const read = useFitting<Revision>(query, auditPath);
  const { value, isOld, fit } = read;
  const { page = '1', ...filterQuery } = fit;
  const isFiltered = Object.keys(filterQuery).length > 0;
  return (
    <>
      <PageHead title="Audit log" total={value?.pagination.totalItems} />
      <AuditFilters query={fit} onChange={(changes) => set({ ...changes, page: '' })} />
      <Ignored ignored={read.ignored} />
      <ReadStatus {...read} lines={10} />
      {value?.data.length === 0 && <Empty title={isFiltered ? noMatch : 'No changes yet.'} />}
      {value && (
        <>
          <Timeline revisions={value.data} isOld={isOld} />
          <Pages pagination={value.pagination} page={Number(page)} onPage={toPage} />
        </>
      )}
    </>
  );
}

interface AuditFiltersProps {
  query: Record<string, string>;
  onChange: (changes: Record<string, string>) => void;
}

const AuditFilters = ({ query, onChange }: AuditFiltersProps) => (
  <search class="filters">
    {filters().map((filter) => (
      <FilterOf key={filter.name} filter={filter} query={query} onChange={onChange} />
    ))}
    {texts.map(({ name, label, as }) => (
      <Field key={name} label={label} as="filter">
        {(attributes) => (
          <LazyInput
            {...as}
            {...attributes}
            value={acceptedValue(as, query[name])}
            onText={(value) => onChange({ [name]: value })}
          />
        )}
      </Field>
    ))}
  </search>
);

/** Applies its text on Enter or when it loses the focus, so that a refresh does not overwrite it. */
function LazyInput({ value, onText, ...attributes }: ComponentProps<typeof TextInput>) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      {...attributes}
      value={typed ?? value}
      onText={setTyped}
      onChange={({ currentTarget }) => {
        setTyped(undefined);
        onText(currentTarget.value);
      }}
    />
  );
}
