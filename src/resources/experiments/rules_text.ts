import * as z from 'zod';
import { faultsOf } from '../../http/zod_errors.ts';
import { most, readingOf } from '../../shared/bounds.ts';
import { isTooDeep, parsed } from '../../shared/json.ts';
import { report } from '../../shared/report.ts';
import { innerRulesInput } from '../../shared/rules.ts';

/** A text that holds rules as JSON; what is wrong with one of them is named by its place in the text. */
export const rulesText = z.string().superRefine((text, context) => {
  const { error } = rulesJSON.safeParse(text, readingOf(text.length));
  if (!error) return;
  for (const { property, errorMessage } of faultsOf(error, parsed(text), ''))
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
