import * as z from 'zod';
import { atFirst, most } from '../../shared/bounds.ts';
import { isTooDeep } from '../../shared/json.ts';
import { report } from '../../shared/report.ts';
import { rulesInput } from '../../shared/rules.ts';

/** What is wrong with a text that holds rules as JSON. */
function faultOfRules(text: string): string | undefined {
  const { error } = rulesJSON.safeParse(text, atFirst);
  const [issue] = error?.issues ?? [];
  if (issue?.code === 'custom' && issue.path.length === 0) return issue.message;
  if (issue?.code === 'too_big' && issue.path.length === 0)
    return `must hold at most ${most.rules} rules`;
  return error && 'must be JSON text of an array of rules';
}

/** A text that holds rules as JSON. */
export const rulesText = z.string().superRefine((text, context) => {
  const fault = faultOfRules(text);
  if (fault) report(context, fault);
});

/** Rules out of their JSON text. */
export const rulesJSON = z
  .string()
  .transform((text, context) => {
    try {
      const value: unknown = JSON.parse(text);
      if (!isTooDeep(value)) return value;
      report(context, `must not nest deeper than ${most.depth} levels`);
      return z.NEVER;
    } catch {
      report(context, 'must be JSON text');
      return z.NEVER;
    }
  })
  .pipe(rulesInput);
