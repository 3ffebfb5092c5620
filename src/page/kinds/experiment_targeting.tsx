import { isEqual } from '../../base/equal.ts';
import { inlineRules } from '../../engine/evaluation/compile/inline_rules.ts';
import type { Experiment, Rule } from '../base/types.ts';
import type { Editing } from '../entity/kind.ts';
import { Rules, withID } from '../rules/rules.tsx';
import { Section } from '../ui/section.tsx';

const property = 'inlineTargetingRulesJSON';

/** Edits the inline targeting rules of an experiment. */
export function Targeting({ value, stored, errors, lock, set }: Editing<Experiment>) {
  const rules = inlineRules<Rule>(value);
  // Keeps the stored text if the rules are equal: another layout is not a change.
  const textOf = (next: Rule[]) =>
    isEqual(next, inlineRules(stored)) ? stored[property] : JSON.stringify(next);
  return (
    <Section title="Targeting rules">
      <Rules
        rules={rules}
        onChange={(next) => set({ [property]: textOf(next) })}
        lock={lock}
        errors={errors}
        place={property}
        otherwise={rules.length > 0 ? 'is not in the experiment' : 'everyone may be in it'}
        whole={withID}
        isWhole
      />
    </Section>
  );
}
