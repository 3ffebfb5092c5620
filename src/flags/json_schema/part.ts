import { type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import type { JSONValue } from '../../base/json.ts';
import { type Matcher, matcherOf, type Spend } from '../../engine/patterns/patterns.ts';

/** A schema or a subschema; a boolean allows every value or none. */
export type SchemaPart = Schema | boolean;

/** Keywords that only look at the value itself, in time linear in its length. */
const plainKeywords = [
  'type',
  'required',
  'dependentRequired',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'format',
];

/** Returns a text that equal values share, regardless of the order of their properties. */
export function canonical(value: JSONValue, spend: Spend): string {
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value);
    spend(1 + text.length / 16);
    return text;
  }
  const entries = Array.isArray(value)
    ? value.map((item) => canonical(item, spend))
    : Object.keys(value)
        .toSorted()
        .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null, spend)}`);
  spend(1 + entries.length);
  return Array.isArray(value) ? `[${entries}]` : `{${entries}}`;
}

export interface Prepared {
  plain: Schema | undefined;
  allowed: { keyword: string; values: Set<string> }[];
  pattern: Matcher | undefined;
  patterns: { matches: Matcher; part: SchemaPart; source: string }[];
}

function matcher(source: string, spend: Spend): Matcher {
  const matches = matcherOf(source, 'u');
  spend(matches.size);
  return matches;
}

/** Compiles a part. */
export function preparePart(part: Schema, spend: Spend): Prepared {
  // The package checks the format `url`, which no draft has, with an expression that backtracks.
  const entries = Object.entries(part).filter(
    ([keyword, value]) => plainKeywords.includes(keyword) && value !== 'url',
  );
  const texts = (values: JSONValue[]) => new Set(values.map((value) => canonical(value, spend)));
  const { pattern, patternProperties = {} } = part;
  return {
    plain: entries.length > 0 ? Object.fromEntries(entries) : undefined,
    allowed: [
      ...('const' in part ? [{ keyword: 'const', values: texts([part.const]) }] : []),
      ...(part.enum ? [{ keyword: 'enum', values: texts(part.enum) }] : []),
    ],
    pattern: pattern === undefined ? undefined : matcher(pattern, spend),
    patterns: Object.entries(patternProperties).map(([source, inner]) => {
      return { matches: matcher(source, spend), part: inner, source };
    }),
  };
}

const plainSteps = 8;

/** Returns the fault of a value by its plain keywords, allowed values and pattern. */
export function plainMisfit(
  { plain, allowed, pattern }: Prepared,
  value: JSONValue,
  draft: SchemaDraft,
  spend: Spend,
): string | undefined {
  if (plain) {
    const length = typeof value === 'string' ? value.length / 8 : (plain.required?.length ?? 0);
    spend(plainSteps + length);
    const [found] = validate(value, plain, draft, {}).errors;
    if (found) return found.error.replace(/\.$/, '');
  }
  if (allowed.length > 0) {
    const text = canonical(value, spend);
    const broken = allowed.find(({ values }) => !values.has(text));
    if (broken) return `Instance is not a value that "${broken.keyword}" allows`;
  }
  if (typeof value !== 'string' || !pattern || pattern(value, spend)) return undefined;
  return 'String does not match pattern';
}
