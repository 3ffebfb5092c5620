import type { Rule } from '../base/types.ts';
import { Rows } from '../entity/edit/rows.tsx';
import type { Edited, FieldSpec } from '../entity/kind.ts';
import { Sum } from '../ui/bar.tsx';

const fields: FieldSpec[] = [
  { property: 'name' },
  { property: 'passPercentage', label: 'Share', as: 'number', unit: '%' },
];

const value: FieldSpec = { property: 'returnValue', label: 'Returns', as: 'json' };

type RuleVariantsProps = Edited<Pick<Rule, 'variants' | 'returnValue'>> & { hasValues: boolean };

/** Edits the variants of a rule, with their values as JSON if wanted. */
export const RuleVariants = ({ hasValues, ...rule }: RuleVariantsProps) => {
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
        specs={() => (hasValues ? [...fields, value] : fields)}
        fresh={() => ({ name: `Variant ${variants.length + 1}`, passPercentage: 0, returnValue })}
      />
    </details>
  );
};
