import { type Answer, get, getAll } from '../base/api.ts';
import type { Entity, Experiment } from '../base/types.ts';
import { useGet } from '../base/use.ts';
import { loadList } from '../entity/load.ts';
import type { Summary } from './standing.ts';
import { byUrgency, openStatuses, urgencyOf } from './urgency.ts';

const idsPerCall = 100;

async function readSummaries(ids: string[]): Promise<Map<string, Summary>> {
  const calls = Array.from({ length: Math.ceil(ids.length / idsPerCall) }, (_, index) =>
    ids.slice(index * idsPerCall, (index + 1) * idsPerCall).join(','),
  );
  const found = await Promise.all(
    calls.map((some) =>
      get<Summary[]>(`/experiments/pulse_summaries?ids=${encodeURIComponent(some)}`),
    ),
  );
  return new Map(found.flatMap(({ data }) => data).map((summary) => [summary.id, summary]));
}

const startedIDs = (experiments: Experiment[]) =>
  experiments.filter(({ startTime }) => startTime !== null).map(({ id }) => id);

/** Returns the summaries of some experiments; undefined until they are read. */
export function useSummaries(experiments: Experiment[]) {
  const ids = startedIDs(experiments);
  return useGet(ids.length > 0 ? `summaries ${ids}` : '', () => readSummaries(ids));
}

const withStatuses = (query: URLSearchParams, statuses: string[]) => {
  const next = new URLSearchParams(query);
  next.delete('status');
  for (const status of statuses) next.append('status', status);
  return next;
};

/** Reads all open experiments that match a query, the most urgent first. */
export async function readOpen(query: URLSearchParams, statuses: string[] = openStatuses) {
  const asked = withStatuses(query, statuses);
  asked.delete('limit');
  asked.delete('page');
  return byUrgency(await getAll<Experiment>(`/experiments?${asked}`));
}

const onePage = (entities: Entity[], page: number, size: number): Answer<Entity[]> => ({
  message: '',
  data: entities.slice((page - 1) * size, page * size),
  pagination: {
    itemsPerPage: size,
    pageNumber: page,
    totalItems: entities.length,
    nextPage: null,
  },
  version: 0,
  cost: '',
});

async function readOpenFirst(query: URLSearchParams, page: number, size: number) {
  const closed = withStatuses(query, ['decision_made', 'abandoned']);
  const readClosed = (number: number) => {
    closed.set('page', String(number));
    return loadList(`/experiments?${closed}`);
  };
  const [open, first] = await Promise.all([readOpen(query), readClosed(1)]);
  const start = Math.max(0, (page - 1) * size - open.length);
  const pageOfStart = Math.floor(start / size) + 1;
  const read = (number: number) => (number === 1 ? first : readClosed(number));
  const one = await read(pageOfStart);
  const other = start % size === 0 ? undefined : await read(pageOfStart + 1);
  const from = [...one.data, ...(other?.data ?? [])].slice(start % size);
  const shownOpen = open.slice((page - 1) * size, page * size);
  return {
    ...first,
    data: [...shownOpen, ...from.slice(0, size - shownOpen.length)],
    pagination: {
      ...first.pagination,
      pageNumber: page,
      totalItems: open.length + first.pagination.totalItems,
    },
  };
}

/** Reads a page of experiments, by default the most urgent first; the status `decide` selects overdue decisions. */
export async function loadByUrgency(path: string): Promise<Answer<Entity[]>> {
  const query = new URLSearchParams(path.split('?')[1]);
  const [status, sort] = [query.get('status'), query.get('sortKey')];
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('limit') ?? 50);
  query.set('sortKey', sort ?? 'lastModifiedTime');
  if (status === 'decide') {
    const open = await readOpen(query, openStatuses.slice(1));
    return onePage(
      open.filter((one) => urgencyOf(one) === 'decide'),
      page,
      size,
    );
  }
  const isOrdered = sort === null && status === null && Number.isInteger(page) && page > 0;
  if (isOrdered) return readOpenFirst(query, page, size);
  return loadList(`/experiments?${query}`);
}
