import { Field } from '../../ui/field.tsx';
import { Seg } from '../../ui/seg.tsx';
import { Select } from '../../ui/select.tsx';
import type { Filter, KindPage } from '../kind.ts';

const sorting: Filter = {
  name: 'sort',
  label: 'Sort by',
  all: 'last changed',
  options: { createdTime: 'newest', name: 'name' },
};

interface FilterOfProps {
  filter: Filter;
  query: Record<string, string>;
  onChange: (changes: Record<string, string>) => void;
}

/** A filter with a few values. */
export const FilterOf = ({
  filter: { name, label, all = 'any', options, isOpen },
  query,
  onChange,
}: FilterOfProps) =>
  isOpen ? (
    <Seg
      label={label}
      value={query[name] ?? ''}
      options={{ '': all, ...options }}
      onChoose={(value) => onChange({ [name]: value })}
    />
  ) : (
    <Field label={label} as="filter">
      {(attributes) => (
        <Select
          {...attributes}
          class="input select select-small"
          value={query[name] ?? ''}
          options={{ '': all, ...options }}
          onChoose={(value) => onChange({ [name]: value })}
        />
      )}
    </Field>
  );

interface FiltersProps {
  kind: KindPage;
  query: Record<string, string>;
  onChange: (changes: Record<string, string>) => void;
}

export function Filters({ kind, query, onChange }: FiltersProps) {
  const { filters: own = [] } = kind;
  const { order, options } = { order: kind.listing?.order, options: sorting.options };
  const sort = order
    ? { ...sorting, all: order, options: { lastModifiedTime: 'last changed', ...options } }
    : sorting;
  const filters = kind.canSearch === false ? own : [...own, sort];
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
