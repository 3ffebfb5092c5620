import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Select } from '../ui/select.tsx';
import type { Filter, Kind } from './kind.ts';

const sorting: Filter = {
  name: 'sort',
  label: 'Order',
  all: 'last changed',
  options: { createdTime: 'newest', name: 'name' },
};

interface NarrowedProps {
  label: string;
  /** What the label belongs to: takes its id. */
  children: (id: string) => ComponentChildren;
}

/** One of the ways in which a list is narrowed down, beside its label. */
export function Narrowed({ label, children }: NarrowedProps) {
  const id = useId();
  return (
    <div class="filter">
      <label class="filter-label" for={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface FilterProps {
  filter: Filter;
  query: Record<string, string>;
  onChange: (changes: Record<string, string>) => void;
}

/** One that has a few values. */
export const FilterOf = ({
  filter: { name, label, all = 'any', options },
  query,
  onChange,
}: FilterProps) => (
  <Narrowed label={label}>
    {(id) => (
      <Select
        id={id}
        class="input select select-small"
        value={query[name] ?? ''}
        options={{ '': all, ...options }}
        onChoose={(value) => onChange({ [name]: value })}
      />
    )}
  </Narrowed>
);

interface FiltersProps {
  kind: Kind;
  query: Record<string, string>;
  onChange: (changes: Record<string, string>) => void;
}

/** What the list is narrowed down to. */
export function Filters({ kind, query, onChange }: FiltersProps) {
  const { filters: own = [] } = kind;
  const filters = kind.canSearch === false ? own : [...own, sorting];
  return (
    <>
      {filters.map((filter) => (
        <FilterOf key={filter.name} filter={filter} query={query} onChange={onChange} />
      ))}
      {query.tags && (
        <button class="filter-tag" type="button" onClick={() => onChange({ tags: '' })}>
          {`Tag: ${query.tags} `}
          <span aria-hidden="true">✕</span>
          <span class="unseen">, show all tags</span>
        </button>
      )}
    </>
  );
}
