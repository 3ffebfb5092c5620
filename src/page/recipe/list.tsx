import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { whyNot } from '../session.tsx';
import { useTitle } from '../title.ts';
import type { Entity } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loading } from '../ui/loading.tsx';
import { Refusal } from '../ui/problem.tsx';
import { useGet, useLate, useShortcut } from '../use.ts';
import { number } from '../words.ts';
import { Bulk } from './bulk.tsx';
import { Create } from './create.tsx';
import { Filters } from './filters.tsx';
import { apiOf, type Kind, pageOf } from './kind.ts';
import { loadList } from './load.ts';
import { Pages } from './pages.tsx';
import { useQuery } from './query.ts';
import { Table } from './table.tsx';

const perPage = 50;

/** The request of a list, from the address of its page. */
function pathOfList(kind: Kind, query: Record<string, string>, search: string): string {
  const {
    sort = kind.canSearch === false ? '' : 'lastModifiedTime',
    page = '1',
    search: _,
    ...filters
  } = query;
  const asked = new URLSearchParams({
    limit: String(perPage),
    page,
    ...filters,
    ...(search && { search }),
    ...(sort && { sortKey: sort }),
  });
  return `${apiOf(kind)}?${asked}`;
}

/** The rows that a list shows, and the words that are searched for. */
function useRows(kind: Kind) {
  const { query, set } = useQuery();
  const [text, setText] = useState(query.search ?? '');
  const search = useLate(text.trim(), 150);
  const path = pathOfList(kind, query, search);
  const { value, problem, again } = useGet(path, () => loadList(path));
  // What was shown stays until the next page of it is there.
  const last = useRef(value);
  if (value) last.current = value;
  useEffect(() => {
    if (search !== (query.search ?? '')) set({ search, page: '' });
  }, [search]);
  /** The first row of what is typed, also before the list of it is shown. */
  const first = async (): Promise<Entity | undefined> => {
    const wanted = pathOfList(kind, { ...query, page: '1' }, text.trim());
    const rows = wanted === path && value ? value.data : (await loadList(wanted)).data;
    return rows[0];
  };
  const shown = value ?? last.current;
  return { query, set, text, setText, path, shown, isOld: !value, problem, again, first };
}

const isFiltered = (query: Record<string, string>) =>
  Object.keys(query).some((name) => name !== 'page' && name !== 'sort');

/** The list of a kind. */
export function List({ kind }: { kind: Kind }) {
  const list = useRows(kind);
  const { query, set, shown, problem, again } = list;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isNew, setNew] = useState(false);
  useTitle(kind.many);
  useEffect(() => setChosen(new Set()), [list.path]);
  const rows = shown?.data ?? [];
  const newButton = kind.creation && (
    <Button
      look="primary"
      icon="add"
      why={whyNot(kind.scope ?? 'write')}
      onClick={() => setNew(true)}
    >
      {`New ${kind.one}`}
    </Button>
  );
  return (
    <>
      <Title kind={kind} total={shown?.pagination.totalItems}>
        {newButton}
      </Title>
      <search class="filters">
        {kind.canSearch !== false && (
          <SearchField kind={kind} text={list.text} onText={list.setText} first={list.first} />
        )}
        <Filters
          kind={kind}
          query={query}
          onChange={(changes) => set({ ...changes, page: '' }, true)}
        />
      </search>
      {problem && <Refusal problem={problem} onAgain={again} />}
      {!shown && !problem && <Loading lines={10} />}
      {rows.length > 0 && (
        <Table kind={kind} rows={rows} chosen={chosen} onChoose={setChosen} isOld={list.isOld} />
      )}
      {shown && rows.length === 0 && (
        <Nothing kind={kind} query={query} onAll={() => list.setText('')}>
          {newButton}
        </Nothing>
      )}
      {shown && (
        <Pages
          pagination={shown.pagination}
          page={Number(query.page ?? 1)}
          onPage={(page) => set({ page: page === 1 ? '' : String(page) }, true)}
        />
      )}
      {chosen.size > 0 && (
        <Bulk
          kind={kind}
          rows={rows.filter(({ id }) => chosen.has(id))}
          onDone={() => setChosen(new Set())}
        />
      )}
      {isNew && <Create kind={kind} onClose={() => setNew(false)} />}
    </>
  );
}

interface TitleProps {
  kind: Kind;
  total: number | undefined;
  children: ComponentChildren;
}

const Title = ({ kind, total, children }: TitleProps) => (
  <div class="page-head">
    <h1 class="page-title">
      {kind.many}
      {total !== undefined && <span class="page-count">{number(total)}</span>}
    </h1>
    {children}
    <p class="unseen" role="status">
      {total === undefined ? '' : `${number(total)} found`}
    </p>
  </div>
);

interface SearchFieldProps {
  kind: Kind;
  text: string;
  onText: (text: string) => void;
  first: () => Promise<Entity | undefined>;
}

function SearchField({ kind, text, onText, first }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const { route } = useLocation();
  useShortcut('/', () => field.current?.focus());
  const go = async () => {
    const found = await first().catch(() => undefined);
    if (found) route(pageOf(kind, found.id));
  };
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        class="search-input"
        type="search"
        aria-label={`Search ${kind.many.toLowerCase()}`}
        placeholder="Search by name or id"
        autoComplete="off"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <kbd class="keys">/</kbd>
    </form>
  );
}

interface NothingProps {
  kind: Kind;
  query: Record<string, string>;
  onAll: () => void;
  children: ComponentChildren;
}

/** A list without rows: because there are none yet, or because none fits. */
function Nothing({ kind, query, onAll, children }: NothingProps) {
  const many = kind.many.toLowerCase();
  if (!isFiltered(query))
    return (
      <Empty title={`There are no ${many} yet.`}>
        <p>{kind.about}</p>
        <p>{children}</p>
      </Empty>
    );
  return (
    <Empty
      title={
        query.search ? `Nothing here is called “${query.search}”.` : 'Nothing fits these filters.'
      }
    >
      <p>
        <a href={`/${kind.path}`} onClick={onAll}>
          {`Show all ${many}`}
        </a>
      </p>
    </Empty>
  );
}
