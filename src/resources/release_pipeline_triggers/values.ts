// Without what stores them, so that the console page can import it.

import type { Rule } from '../../shared/rules.ts';
import type { Phase } from '../release_pipelines/schema.ts';

/** The rules of a phase with their values: one without has those of the rule of its name, or place, before the release. */
export const withValues = (rules: Phase['rules'], own: Rule[]): Phase['rules'] =>
  rules.map((rule, place) => {
    const same = own.find(({ name }) => name === rule.name) ?? own[place] ?? own.at(-1);
    if (rule.returnValue || rule.variants || !same) return rule;
    const { returnValue, variants } = same;
    return { ...rule, ...(returnValue && { returnValue }), ...(variants && { variants }) };
  });
