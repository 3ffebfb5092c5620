import { go, useLocation } from '../../base/location.ts';

/** Returns the query of the address, and functions that change it. */
export function useQuery() {
  const { path, query } = useLocation();
  const set = (changes: Record<string, string>, isInstead = false) => {
    const next = new URLSearchParams({ ...query, ...changes });
    for (const [name, value] of [...next]) if (value === '') next.delete(name);
    const text = next.toString();
    go(`${path}${text && `?${text}`}`, isInstead);
  };
  const toPage = (page: number, isInstead = false) => {
    set({ page: page === 1 ? '' : String(page) }, isInstead);
    scrollTo(0, 0);
  };
  return { query, set, toPage };
}
