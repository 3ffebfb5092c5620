interface SegProps {
  label: string;
  options: Record<string, string>;
  value: string;
  onChoose: (value: string) => void;
}

/** A choice of a few views. */
export const Seg = ({ label, options, value, onChoose }: SegProps) => (
  <fieldset class="seg">
    <legend class="unseen">{label}</legend>
    {Object.entries(options).map(([option, words]) => (
      <button
        key={option}
        type="button"
        aria-pressed={option === value}
        onClick={() => onChoose(option)}
      >
        {words}
      </button>
    ))}
  </fieldset>
);
