import type { FieldSpec } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import type { Rule } from '../types.ts';

type Variants = NonNullable<Rule['variants']>;

const fields: FieldSpec[] = [
  { property: 'name' },
  { property: 'passPercentage', label: 'Share', as: 'number', unit: '%' },
  { property: 'returnValue', label: 'Returns', as: 'json' },
];

interface VariantsProps {
  variants: Variants | undefined;
  /** What a new one returns. */
  value: Rule['returnValue'];
  lock?: string;
  errors: Map<string, string>;
  onChange: (variants: Variants) => void;
}

/** Shares of those who pass a rule, each with a value of its own. */
export const RuleVariants = ({ variants = [], value, lock, errors, onChange }: VariantsProps) => (
  <details class="variants" open={variants.length > 0}>
    <summary class="variants-title">Other values for shares of those who pass</summary>
    <Rows
      items={variants}
      noun="variant"
      place="variants"
      none="All who pass get the value of the rule."
      specs={() => fields}
      fresh={() => ({
        name: `Variant ${variants.length + 1}`,
        passPercentage: 0,
        returnValue: value ?? {},
      })}
      lock={lock}
      errors={errors}
      onChange={onChange}
    />
  </details>
);
