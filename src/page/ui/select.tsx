import type { Attributes } from './field.tsx';

interface SelectProps extends Partial<Attributes> {
  'aria-label'?: string;
  class?: string;
  value: string | undefined;
  options: Record<string, string>;
  onChoose: (value: string) => void;
}

/** A select box. */
export const Select = ({ options, onChoose, ...attributes }: SelectProps) => (
  <select
    class="input select"
    {...attributes}
    onChange={({ currentTarget }) => onChoose(currentTarget.value)}
  >
    {Object.entries(options).map(([value, words]) => (
      <option key={value} value={value}>
        {words}
      </option>
    ))}
  </select>
);
