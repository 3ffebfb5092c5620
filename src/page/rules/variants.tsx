import type { Edited, FieldSpec } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import type { Rule } from '../types.ts';
import { Sum } from '../ui/bar.tsx';

const fields: FieldSpec[] = [
  { property: 'name' },
  { property: 'passPercentage', label: 'Share', as: 'number', unit: '%' },
  { property: 'returnValue', label: 'Returns', as: 'json' },
];

/** Edits the variants of a rule. */
export const RuleVariants = (rule: Edited<Pick<Rule, 'variants' | 'returnValue'>>) => {
  const { variants = [], returnValue = {} } = rule.value;
  return (
    <details class="variants" open={variants.length > 0}>
      <summary class="variants-title">Variants</summary>
      {variants.length > 0 && rule.lock === undefined && (
        <Sum shares={variants.map(({ passPercentage }) => passPercentage)} hasRest />
      )}
      <Rows
        {...rule}
        property="variants"
        noun="variant"
        none="None. Everyone who passes gets the rule's value."
        specs={() => fields}
        fresh={() => ({ name: `Variant ${variants.length + 1}`, passPercentage: 0, returnValue })}
      />
    </details>
  );
};
