import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { go } from '../../base/location.ts';
import { whyNot } from '../../base/session.ts';
import { useTitle } from '../../base/title.ts';
import type { Entity } from '../../base/types.ts';
import { useDebounced } from '../../base/use.ts';
import { Button } from '../../ui/button.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import { Create } from '../edit/create.tsx';
import { apiOf, type EntityValues, type KindPage } from '../kind.ts';
import { loadList } from '../load.ts';
import { Pages } from '../pages.tsx';
import { Bulk } from './bulk.tsx';
import { Filters } from './filters.tsx';
import { Ignored, useFitting } from './ignored.tsx';
import { EmptyList, isFiltered, SearchField, Title } from './list_parts.tsx';
import { useQuery } from './query.ts';
import { Table } from './table.tsx';

const perPage = 50;

function pathOfList(kind: KindPage, query: Record<string, string>): string {
  const {
    sort = kind.canSearch === false || kind.listing ? '' : 'lastModifiedTime',
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

function useRows(kind: KindPage) {
  const load = kind.listing?.load ?? loadList;
  const { query, set, toPage } = useQuery();
  const asked = query.search ?? '';
  const [text, setText] = useState(asked);
  const search = useDebounced(text.trim(), 150);
  const read = useFitting(query, (fit) => pathOfList(kind, fit), load);
  const known = useRef(asked);
  useEffect(() => {
    if (search === asked) return;
    known.current = search;
    set({ search, page: '' }, true);
  }, [search]);
  useEffect(() => {
    if (asked === known.current) return;
    known.current = asked;
    setText(asked);
  }, [asked]);
  const first = async (): Promise<Entity | undefined> => {
    const wanted = pathOfList(kind, { ...read.fit, search: text.trim(), page: '1' });
    const isShown = wanted === pathOfList(kind, read.fit);
    const { data } = (isShown && !read.isOld && read.value) || (await load(wanted));
    return data[0];
  };
  return { ...read, query: read.fit, set, toPage, text, setText, first };
}

const canNarrow = ({ canSearch, filters = [] }: KindPage, isEmpty: boolean) =>
  isEmpty ? filters.some(({ all }) => all) : canSearch !== false || filters.length > 0;

interface ListProps {
  kind: KindPage;
  list: ReturnType<typeof useRows>;
}

const ListFilters = ({ kind, list }: ListProps) => (
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

function SelectableRows({ kind, list, children }: ListProps & { children: ComponentChildren }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const Rows = kind.Rows ?? Table;
  const none = () => setChosen(new Set());
  useEffect(none, [list.path]);
  const rows = list.value?.data ?? [];
  // Selected rows may have been deleted.
  const selected = rows.filter(({ id }) => chosen.has(id));
  return (
    <>
      {rows.length > 0 && (
        <Rows kind={kind} rows={rows} chosen={chosen} onChoose={setChosen} isOld={list.isOld} />
      )}
      {children}
      {selected.length > 0 && <Bulk kind={kind} rows={selected} onDone={none} />}
    </>
  );
}

const NewButton = ({ kind, onClick }: { kind: KindPage; onClick: () => void }) =>
  kind.creation && (
    <Button look="primary" icon="add" why={whyNot(kind.scope ?? 'write')} onClick={onClick}>
      {`New ${kind.one}`}
    </Button>
  );

export function List({ kind }: { kind: KindPage }) {
  const list = useRows(kind);
  const { query, toPage, value, problem } = list;
  const [fresh, setFresh] = useState<EntityValues>();
  useTitle(kind.many);
  const { page } = kind.creation ?? {};
  const isEmpty = value?.pagination.totalItems === 0 && !isFiltered(query) && list.text === '';
  const newButton = <NewButton kind={kind} onClick={() => (page ? go(page) : setFresh({}))} />;
  return (
    <>
      <Title kind={kind} total={value?.pagination.totalItems}>
        {!isEmpty && newButton}
      </Title>
      {canNarrow(kind, isEmpty) && problem?.status !== 403 && (
        <ListFilters kind={kind} list={list} />
      )}
      <Ignored ignored={list.ignored} />
      <ReadStatus {...list} lines={10} />
      <SelectableRows kind={kind} list={list}>
        {value?.pagination.totalItems === 0 && (
          <EmptyList kind={kind} query={query} onTemplate={setFresh}>
            {newButton}
          </EmptyList>
        )}
        {value && (
          <Pages pagination={value.pagination} page={Number(query.page ?? 1)} onPage={toPage} />
        )}
      </SelectableRows>
      {fresh && <Create kind={kind} values={fresh} onClose={() => setFresh(undefined)} />}
    </>
  );
}
