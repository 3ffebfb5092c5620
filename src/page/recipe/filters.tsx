import type { Filter, Kind } from './kind.ts';

const sorting: Filter = {
  name: 'sort',
  label: 'Order',
  all: 'last changed',
  options: { createdTime: 'newest', name: 'name' },
};

interface FiltersProps {
  kind: Kind;
  query: Record<string, string>;
  onChange: (changes: Record<string, string>) => void;
}

/** What the list is narrowed down to. */
export function Filters({ kind, query, onChange }: FiltersProps) {
  const filters = kind.canSearch === false ? kind.filters : [...kind.filters, sorting];
  return (
    <>
      {filters.map(({ name, label, all, options }) => (
        <label key={name} class="filter">
          <span class="filter-label">{label}</span>
          <select
            class="input select select-small"
            value={query[name] ?? ''}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          >
            <option value="">{all}</option>
            {Object.entries(options).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
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
