import * as z from 'zod';
import { unfitIn } from '../../http/body.ts';
import { faultsOf } from '../../http/zod_errors.ts';
import { most, readingOf } from '../../shared/bounds.ts';
import { trimmed } from '../../shared/conditions.ts';
import { distinct } from '../../shared/distinct.ts';
import { isEqual } from '../../shared/equal.ts';
import { isTooDeep, parsed } from '../../shared/json.ts';
import { lossIn } from '../../shared/number_loss.ts';
import { report } from '../../shared/report.ts';
import { innerRulesInput } from '../../shared/rules.ts';

type WrittenRule = Pick<z.input<typeof innerRulesInput>[number], 'environments' | 'conditions'>;

/**
 * Returns the faults of rules given as text. Valid rules may still contain half characters, which some SDKs cannot
 * read, or two members of one name.
 */
function faultsIn(text: string) {
  const { error } = rulesJSON.safeParse(text, readingOf(text.length));
  if (error) return faultsOf(error, parsed(text), '');
  const [first] = unfitIn(text, []);
  if (first) return [first];
  const errorMessage = lossIn(text, parsed(text));
  return errorMessage ? [{ property: '', errorMessage }] : [];
}

/** Removes surrounding blanks and repeated environments. */
const tidied = ({ environments, conditions, ...rule }: WrittenRule): WrittenRule => ({
  ...rule,
  ...(environments !== undefined && {
    environments: environments && distinct(environments.map((name) => name.trim())),
  }),
  conditions: conditions.map(trimmed),
});

/** Returns a text of valid rules in tidied form. A text without changes stays unchanged. */
export function tidiedText(text: string): string {
  const rules: WrittenRule[] = JSON.parse(text || '[]');
  const after = rules.map(tidied);
  return isEqual(after, rules) ? text : JSON.stringify(after);
}

/** Rules as JSON text. Errors name the place inside the text. */
export const rulesText = z.string().transform((text, context) => {
  const faults = faultsIn(text);
  for (const { property, errorMessage } of faults)
    report(context, errorMessage, ...property.split('.').filter(Boolean));
  return faults.length > 0 ? text : tidiedText(text);
});

const rulesJSON = z
  .string()
  .transform((text, context) => {
    const rules = parsed(text);
    if (!Array.isArray(rules)) report(context, 'must be JSON text of an array of rules');
    else if (isTooDeep(rules)) report(context, `must not nest deeper than ${most.depth} levels`);
    else return rules;
    return z.NEVER;
  })
  .pipe(innerRulesInput);
