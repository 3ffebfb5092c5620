// Without the store, so that the console can import it.

import type { Rule } from '../../shared/rules.ts';
import type { Phase } from '../release_pipelines/schema.ts';

/** Fills in missing values of the rules of a phase from the earlier rule with the same name, or position. */
export const withValues = (rules: Phase['rules'], own: Rule[]): Phase['rules'] =>
  rules.map((rule, place) => {
    const same = own.find(({ name }) => name === rule.name) ?? own[place] ?? own.at(-1);
    if (rule.returnValue || rule.variants || !same) return rule;
    const { returnValue, variants } = same;
    return { ...rule, ...(returnValue && { returnValue }), ...(variants && { variants }) };
  });
