import { useEffect } from 'preact/hooks';
import type { Pagination } from '../base/api.ts';
import { number } from '../base/words.ts';
import { Button } from '../ui/button.tsx';

interface PagesProps {
  pagination: Pagination;
  page: number;
  onPage: (page: number, isInstead?: boolean) => void;
}

interface PageFieldProps {
  page: number;
  last: number;
  onPage: (page: number) => void;
}

function PageField({ page, last, onPage }: PageFieldProps) {
  const go = (field: HTMLInputElement) => {
    const wanted = Math.round(Number(field.value));
    field.value = String(page); // if there is no such page
    if (wanted >= 1 && wanted <= last) onPage(wanted);
  };
  return (
    <input
      class="input input-page"
      aria-label="Page"
      inputMode="numeric"
      value={page}
      onChange={({ currentTarget }) => go(currentTarget)}
    />
  );
}

/** The page navigation of a list. */
export function Pages({ pagination, page, onPage }: PagesProps) {
  const { itemsPerPage, totalItems } = pagination;
  const last = Math.max(1, Math.ceil(totalItems / itemsPerPage));
  // The last page may have become empty. Ignored while another page is still displayed.
  const isPast = page > last && pagination.pageNumber === page;
  useEffect(() => {
    if (isPast) onPage(last, true);
  }, [isPast]);
  if (last === 1) return null;
  const first = (page - 1) * itemsPerPage + 1;
  const end = Math.min(totalItems, page * itemsPerPage);
  return (
    <nav class="pages" aria-label="Pages">
      <p class="pages-words">{`${number(first)}–${number(end)} of ${number(totalItems)}`}</p>
      <Button
        look="icon"
        icon="left"
        label="Previous page"
        why={page === 1 ? 'First page' : undefined}
        onClick={() => onPage(page - 1)}
      />
      <PageField page={page} last={last} onPage={onPage} />
      <span>{`of ${number(last)}`}</span>
      <Button
        look="icon"
        icon="right"
        label="Next page"
        why={page >= last ? 'Last page' : undefined}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
