import * as z from 'zod';
import { unfitIn } from '../../http/body.ts';
import { faultsOf } from '../../http/zod_errors.ts';
import { most, readingOf } from '../../shared/bounds.ts';
import { isTooDeep, parsed } from '../../shared/json.ts';
import { lossIn } from '../../shared/number_loss.ts';
import { report } from '../../shared/report.ts';
import { innerRulesInput } from '../../shared/rules.ts';

/**
 * What is wrong with a text of rules: one that fits may still hold halves of characters, which not all SDKs can read, or two
 * members of one name.
 */
function faultsIn(text: string) {
  const { error } = rulesJSON.safeParse(text, readingOf(text.length));
  if (error) return faultsOf(error, parsed(text), '');
  const [first] = unfitIn(text, []);
  if (first) return [first];
  const errorMessage = lossIn(text, parsed(text));
  return errorMessage ? [{ property: '', errorMessage }] : [];
}

/** A text that holds rules as JSON; what is wrong with one of them is named by its place in the text. */
export const rulesText = z.string().superRefine((text, context) => {
  for (const { property, errorMessage } of faultsIn(text))
    report(context, errorMessage, ...property.split('.').filter(Boolean));
});

/** Rules out of their JSON text. */
export const rulesJSON = z
  .string()
  .transform((text, context) => {
    const rules = parsed(text);
    if (!Array.isArray(rules)) report(context, 'must be JSON text of an array of rules');
    else if (isTooDeep(rules)) report(context, `must not nest deeper than ${most.depth} levels`);
    else return rules;
    return z.NEVER;
  })
  .pipe(innerRulesInput);
