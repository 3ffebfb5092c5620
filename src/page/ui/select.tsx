import type { Attributes } from './field.tsx';

interface SelectProps extends Partial<Attributes> {
  /** What it is called where no label belongs to it. */
  'aria-label'?: string;
  class?: string;
  value: string | undefined;
  /** What there is to choose from, with the words for it. */
  options: Record<string, string>;
  onChoose: (value: string) => void;
}

/** One of a few. */
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
