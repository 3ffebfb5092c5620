// Without the store, so that the console can import it.

import type { ReleasePhase } from '../pipelines/schema.ts';
import type { Rule } from '../rules/rules.ts';

/** Fills in missing values of the rules of a phase from the earlier rule with the same name, or position. */
export const withOwnValues = (rules: ReleasePhase['rules'], own: Rule[]): ReleasePhase['rules'] =>
  rules.map((rule, place) => {
    const same = own.find(({ name }) => name === rule.name) ?? own[place] ?? own.at(-1);
    if (rule.returnValue || rule.variants || !same) return rule;
    const { returnValue, variants } = same;
    return { ...rule, ...(returnValue && { returnValue }), ...(variants && { variants }) };
  });
