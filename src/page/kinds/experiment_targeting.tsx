import { inlineRules } from '../../evaluation/compile/inline_rules.ts';
import type { Editing } from '../recipe/kind.ts';
import { Rules, withID } from '../rules/rules.tsx';
import type { Experiment, Rule } from '../types.ts';
import { Section } from '../ui/section.tsx';

const property = 'inlineTargetingRulesJSON';

/** The rules of its own by which an experiment lets somebody in. */
export function Targeting({ value, errors, lock, set }: Editing<Experiment>) {
  const rules = inlineRules<Rule>(value);
  return (
    <Section title="Targeting rules">
      <Rules
        rules={rules}
        onChange={(next) => set({ [property]: JSON.stringify(next) })}
        lock={lock}
        errors={errors}
        place={property}
        otherwise={rules.length > 0 ? 'is not in the experiment' : 'everyone may be in it'}
        whole={withID}
      />
    </Section>
  );
}
