import * as z from 'zod';
import { distinct } from '../../../base/distinct.ts';
import { isEqual } from '../../../base/equal.ts';
import { isTooDeep, parseJSON } from '../../../base/json.ts';
import { limits, parseContext } from '../../../base/limits.ts';
import { lossIn } from '../../../base/number_loss.ts';
import { report } from '../../../base/report.ts';
import { trimCondition } from '../../../flags/rules/conditions.ts';
import { innerRulesInput } from '../../../flags/rules/rules.ts';
import { unstorableIn } from '../../../platform/http/body.ts';
import { faultsOf } from '../../../platform/http/zod_errors.ts';

type WrittenRule = Pick<z.input<typeof innerRulesInput>[number], 'environments' | 'conditions'>;

/** Also reports unpaired surrogates, which some SDKs cannot read, and duplicate JSON keys. */
function errorsIn(text: string) {
  const { error } = rulesJSON.safeParse(text, parseContext(text.length));
  if (error) return faultsOf(error, parseJSON(text), '');
  const [first] = unstorableIn(text, []);
  if (first) return [first];
  const errorMessage = lossIn(text, parseJSON(text));
  return errorMessage ? [{ property: '', errorMessage }] : [];
}

const normalizedRule = ({ environments, conditions, ...rule }: WrittenRule): WrittenRule => ({
  ...rule,
  ...(environments !== undefined && {
    environments: environments && distinct(environments.map((name) => name.trim())),
  }),
  conditions: conditions.map(trimCondition),
});

/** Returns the JSON text of valid rules in normalized form; an already normalized text stays unchanged. */
export function normalizedRulesText(text: string): string {
  const rules: WrittenRule[] = JSON.parse(text || '[]');
  const after = rules.map(normalizedRule);
  return isEqual(after, rules) ? text : JSON.stringify(after);
}

/** Rules as JSON text; errors name the position within the parsed rules. */
export const rulesText = z.string().transform((text, context) => {
  const errors = errorsIn(text);
  for (const { property, errorMessage } of errors)
    report(context, errorMessage, ...property.split('.').filter(Boolean));
  return errors.length > 0 ? text : normalizedRulesText(text);
});

const rulesJSON = z
  .string()
  .transform((text, context) => {
    const rules = parseJSON(text);
    if (!Array.isArray(rules)) report(context, 'must be the JSON text of an array of rules');
    else if (isTooDeep(rules)) report(context, `must not nest deeper than ${limits.depth} levels`);
    else return rules;
    return z.NEVER;
  })
  .pipe(innerRulesInput);
