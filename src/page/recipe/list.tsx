import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { whyNot } from '../session.ts';
import { useTitle } from '../title.ts';
import type { Entity } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Unread } from '../ui/unread.tsx';
import { useLate } from '../use.ts';
import { Bulk } from './bulk.tsx';
import { Create } from './create.tsx';
import { Filters } from './filters.tsx';
import { Ignored, useFitting } from './ignored.tsx';
import { apiOf, type Kind } from './kind.ts';
import { isFiltered, Nothing, SearchField, Title } from './list_parts.tsx';
import { loadList } from './load.ts';
import { Pages } from './pages.tsx';
import { useQuery } from './query.ts';
import { Table } from './table.tsx';

const perPage = 50;

/** The request of a list, from the address of its page. */
function pathOfList(kind: Kind, query: Record<string, string>): string {
  const {
    sort = kind.canSearch === false ? '' : 'lastModifiedTime',
    page = '1',
    search = '',
    tags,
    ...filters
  } = query;
  const asked = new URLSearchParams({
    limit: String(perPage),
    page,
    ...filters,
    // With brackets it is one tag, whatever commas it has.
    ...(tags && { 'tags[]': tags }),
    ...(search && { search }),
    ...(sort && { sortKey: sort }),
  });
  return `${apiOf(kind)}?${asked}`;
}

/** The rows that a list shows, and the words that are searched for. */
function useRows(kind: Kind) {
  const { query, set, toPage } = useQuery();
  const asked = query.search ?? '';
  const [text, setText] = useState(asked);
  const search = useLate(text.trim(), 150);
  const read = useFitting(query, (fit) => pathOfList(kind, fit), loadList);
  /** The search that was last put into the address from here, or taken from there. */
  const known = useRef(asked);
  useEffect(() => {
    if (search === asked) return;
    known.current = search;
    set({ search, page: '' }, true);
  }, [search]);
  // It was changed by other means, such as Back, or a link to the whole list.
  useEffect(() => {
    if (asked === known.current) return;
    known.current = asked;
    setText(asked);
  }, [asked]);
  /** The first row of what is typed, also before the list of it is shown. */
  const first = async (): Promise<Entity | undefined> => {
    const wanted = pathOfList(kind, { ...read.fit, search: text.trim(), page: '1' });
    const isShown = wanted === pathOfList(kind, read.fit);
    const { data } = (isShown && !read.isOld && read.value) || (await loadList(wanted));
    return data[0];
  };
  return { ...read, query: read.fit, set, toPage, text, setText, first };
}

/** Whether there is anything to look for: not where there is nothing at all, unless some is hidden at first. */
const canNarrow = ({ canSearch, filters = [] }: Kind, isEmpty: boolean) =>
  isEmpty ? filters.some(({ all }) => all) : canSearch !== false || filters.length > 0;

interface ListProps {
  kind: Kind;
  list: ReturnType<typeof useRows>;
}

/** The search and the filters of a list. */
const Narrowing = ({ kind, list }: ListProps) => (
  <search class="filters">
    {kind.canSearch !== false && (
      <SearchField kind={kind} text={list.text} onText={list.setText} first={list.first} />
    )}
    <Filters
      kind={kind}
      query={list.query}
      onChange={(changes) => list.set({ ...changes, page: '' })}
    />
  </search>
);

/** The rows of a list, and what follows them, of which some are chosen to be changed together. */
function Chosen({ kind, list, children }: ListProps & { children: ComponentChildren }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const none = () => setChosen(new Set());
  useEffect(none, [list.path]);
  const rows = list.value?.data ?? [];
  // Some may have gone meanwhile.
  const there = rows.filter(({ id }) => chosen.has(id));
  return (
    <>
      {rows.length > 0 && (
        <Table kind={kind} rows={rows} chosen={chosen} onChoose={setChosen} isOld={list.isOld} />
      )}
      {children}
      {there.length > 0 && <Bulk kind={kind} rows={there} onDone={none} />}
    </>
  );
}

const NewButton = ({ kind, onClick }: { kind: Kind; onClick: () => void }) =>
  kind.creation && (
    <Button look="primary" icon="add" why={whyNot(kind.scope ?? 'write')} onClick={onClick}>
      {`New ${kind.one}`}
    </Button>
  );

/** The list of a kind. */
export function List({ kind }: { kind: Kind }) {
  const list = useRows(kind);
  const { query, toPage, value, problem } = list;
  const [isNew, setNew] = useState(false);
  useTitle(kind.many);
  // Then the first one is made where that is said.
  const isEmpty = value?.pagination.totalItems === 0 && !isFiltered(query) && list.text === '';
  const newButton = <NewButton kind={kind} onClick={() => setNew(true)} />;
  return (
    <>
      <Title kind={kind} total={value?.pagination.totalItems}>
        {!isEmpty && newButton}
      </Title>
      {canNarrow(kind, isEmpty) && problem?.status !== 403 && <Narrowing kind={kind} list={list} />}
      <Ignored ignored={list.ignored} />
      <Unread {...list} lines={10} />
      <Chosen kind={kind} list={list}>
        {value?.pagination.totalItems === 0 && (
          <Nothing kind={kind} query={query}>
            {newButton}
          </Nothing>
        )}
        {value && (
          <Pages pagination={value.pagination} page={Number(query.page ?? 1)} onPage={toPage} />
        )}
      </Chosen>
      {isNew && <Create kind={kind} onClose={() => setNew(false)} />}
    </>
  );
}
