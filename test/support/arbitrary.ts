import fc from 'fast-check';
import { type Piece, resolved, wholeSchema } from './document.ts';

/** Text of any script, and some values that break careless code. */
const text = (min = 0, max = 40): fc.Arbitrary<string> => {
  const bounds = { minLength: min, maxLength: Math.max(min, Math.min(max, 40)) };
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', ...bounds }),
    fc.string({ unit: 'grapheme', ...bounds }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      "'; drop table gates; --",
      '{{x}}',
      'ﬁ — Größe 測試',
    ),
  );
};

const patterns: Record<string, fc.Arbitrary<string>> = {
  '^[\\w.-]{3,100}$': fc.stringMatching(/^[a-z0-9_.-]{3,20}$/),
  '^\\d{1,16}$': fc.stringMatching(/^[1-9]\d{0,12}$/),
};

const formats: Record<string, fc.Arbitrary<string>> = {
  date: fc
    .date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
  email: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/),
  // `fc.webUrl` needs seconds to start, because it iterates over all of Unicode.
  uri: fc
    .tuple(
      fc.constantFrom('http', 'https'),
      fc.domain(),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { maxLength: 4 }),
    )
    .map(
      ([scheme, host, parts]) =>
        `${scheme}://${[host, ...parts.map(encodeURIComponent)].join('/')}`,
    ),
};

function numberOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Piece) {
  const min = minimum ?? exclusiveMinimum ?? -1000;
  const max = maximum ?? exclusiveMaximum ?? 1000;
  const [least, most] = [Math.ceil(min), Math.floor(Math.min(max, 1e9))];
  if (least > most) return fc.double({ min, max, noNaN: true });
  const integer = fc.integer({ min: least, max: most });
  if (type === 'integer') return integer;
  return fc.oneof(
    integer,
    integer.map((value) => Math.max(min, value - 0.25)),
  );
}

function objectOf(schema: Piece): fc.Arbitrary<unknown> {
  const { properties, required } = wholeSchema(schema);
  const { additionalProperties } = schema;
  if (Object.keys(properties).length === 0 && additionalProperties !== false) {
    const isTyped = additionalProperties?.type !== undefined;
    const values = isTyped
      ? arbitraryOf(additionalProperties)
      : fc.oneof(fc.boolean(), fc.integer(), text());
    return fc.dictionary(text(1, 10), values, { maxKeys: 3 });
  }
  const partOf = (name: string) => {
    const part = arbitraryOf(properties[name]);
    return required.includes(name) ? part : fc.option(part, { nil: undefined });
  };
  const names = Object.keys(properties);
  return fc.record(Object.fromEntries(names.map((name) => [name, partOf(name)])));
}

/** Returns values of a schema. A few may break rules that a schema cannot express. */
export function arbitraryOf(piece: Piece): fc.Arbitrary<unknown> {
  const schema = resolved(piece);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return fc.oneof(...several.map(arbitraryOf));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => arbitraryOf({ ...schema, type })));
  if (schema.allOf || schema.properties) return objectOf(schema);
  switch (schema.type) {
    case 'string':
      return (
        patterns[schema.pattern] ??
        formats[schema.format] ??
        text(schema.minLength, schema.maxLength)
      );
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { items = {}, minItems: minLength = 0 } = schema;
      return fc.array(arbitraryOf(items), { minLength, maxLength: minLength + 2 });
    }
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Returns the body schema of an operation; undefined if it has no body. */
export const bodySchema = ({ requestBody }: Piece): Piece | undefined =>
  requestBody && resolved(resolved(requestBody).content['application/json'].schema);

/** Values that hardly any schema accepts. */
export const odd = fc.constantFrom<unknown>(
  null,
  true,
  -1,
  0.001,
  Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER,
  '',
  '\u0000',
  '\ud800',
  'x'.repeat(2000),
  [],
  {},
  [null],
  [[[]]],
  { id: {} },
  '__proto__',
);
