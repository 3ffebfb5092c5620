const fields = 'input, select, button';

export const focusIn = (cell: Element | null | undefined): void =>
  cell?.querySelector<HTMLElement>(fields)?.focus();

/** Moves the focus from a field of a table to the one below it on Enter. */
export function downFrom(event: KeyboardEvent): void {
  const { target, key, isComposing } = event;
  if (key !== 'Enter' || isComposing || !(target instanceof HTMLInputElement)) return;
  const cell = target.closest('td');
  if (!cell) return;
  event.preventDefault();
  const { cellIndex } = cell;
  let row = cell.parentElement?.nextElementSibling;
  while (row instanceof HTMLTableRowElement && row.classList.contains('values-errors'))
    row = row.nextElementSibling;
  if (!(row instanceof HTMLTableRowElement)) return;
  focusIn(row.cells[cellIndex]);
}
