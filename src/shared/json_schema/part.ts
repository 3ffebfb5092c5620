import { type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import type { JSONValue } from '../json.ts';
import { type Matcher, matcherOf, type Spend } from '../patterns.ts';

/** One schema, or a part of one that is a schema itself; a yes or no takes everything or nothing. */
export type Part = Schema | boolean;

/** What keywords say of one value alone, whose work does not grow with it by more than its length. */
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

/** A value as a text that equal values share, whatever the order of their properties. */
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

/** What is made of a part once, however many values it is applied to. */
export interface Prepared {
  /** The plain keywords alone; absent where there are none. */
  plain: Schema | undefined;
  /** The values that `enum` or `const` allow, as texts. */
  allowed: { keyword: string; values: Set<string> }[];
  pattern: Matcher | undefined;
  patterns: { matches: Matcher; part: Part; source: string }[];
}

function matcher(source: string, spend: Spend): Matcher {
  const matches = matcherOf(source, 'u');
  spend(matches.size);
  return matches;
}

/** Makes of a part what can be made of it once. */
export function prepare(part: Schema, spend: Spend): Prepared {
  // The package takes the format `url`, which no draft has, by an expression that backtracks.
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

/** Steps of work that a look at a value by plain keywords comes to. */
const looking = 8;

/** How a value does not satisfy the keywords that look at it alone, if so. */
export function plainMisfit(
  { plain, allowed, pattern }: Prepared,
  value: JSONValue,
  draft: SchemaDraft,
  spend: Spend,
): string | undefined {
  if (plain) {
    const length = typeof value === 'string' ? value.length / 8 : (plain.required?.length ?? 0);
    spend(looking + length);
    const [found] = validate(value, plain, draft, {}).errors;
    if (found) return found.error.replace(/\.$/, '');
  }
  if (allowed.length > 0) {
    const text = canonical(value, spend);
    const broken = allowed.find(({ values }) => !values.has(text));
    if (broken) return `Instance is none of those that "${broken.keyword}" allows`;
  }
  if (typeof value !== 'string' || !pattern || pattern(value, spend)) return undefined;
  return 'String does not match pattern';
}
