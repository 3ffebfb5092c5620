import { readJSON } from '../json_text.ts';
import type { Editing } from '../recipe/kind.ts';
import { Rules, withID } from '../rules/rules.tsx';
import type { Experiment, Rule } from '../types.ts';
import { Section } from '../ui/section.tsx';

const property = 'inlineTargetingRulesJSON';

/** The rules that a text holds as JSON: none where it is empty. */
function rulesIn(text: string): Rule[] {
  const rules = readJSON(text);
  return Array.isArray(rules) ? rules : [];
}

/** The rules of its own by which an experiment lets somebody in. */
export function Targeting({ value, errors, lock, set }: Editing<Experiment>) {
  const rules = rulesIn(value[property]);
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
