import * as z from 'zod';
import { most } from './bounds.ts';
import { distinct } from './distinct.ts';
import { counted } from './english.ts';
import { isStep } from './ids.ts';
import { report } from './report.ts';

/** How many characters a text has, those beyond U+FFFF counted once. */
export const codePoints = (value: string) => [...value].length;

/** Whether anything of a text is to be seen: more than spaces, marks, blanks, and characters that are none or private. */
const isVisible = (value: string) =>
  /[^\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u.test(value);

/** Whether a text has control characters, line or paragraph separators, or lone surrogates. */
export const hasControls = (value: string) => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value);

/**
 * Whether a text has embeddings, overrides or isolates, which make it read as another. The marks that Arabic and Hebrew
 * need (U+200E, U+200F, U+061C) turn nothing around, and may stay.
 */
const turnsAround = (value: string) => /[\u202a-\u202e\u2066-\u2069]/.test(value);

/** A name without characters that break its line or turn it around. */
const inOneLine = (schema: z.ZodString) =>
  schema
    .refine((value) => !hasControls(value), 'must not contain control characters')
    .refine(
      (value) => !turnsAround(value),
      'must not contain characters that change the direction of text',
    );

/** Text of `min` to `max` characters, counted as code points, in any script. */
const boundedText = (schema: z.ZodString, min: number, max: number) =>
  schema
    .refine(
      (value) => codePoints(value) >= min,
      `must be at least ${counted(min, 'character')} long`,
    )
    .refine(
      (value) => codePoints(value) <= max,
      `must be at most ${counted(max, 'character')} long`,
    )
    .meta(bounds(min, max));

/** The bounds of a text as the documentation says them, after all checks: a check may drop what was said before it. */
const bounds = (min: number, max: number) =>
  min > 0 ? { minLength: min, maxLength: max } : { maxLength: max };

/** A name that people read: trimmed, without control characters, and with something to be seen. */
export const displayName = (min: number, max: number) =>
  inOneLine(boundedText(z.string().trim(), min, max))
    .refine(
      // What is too short or has controls is told so, and need not be told twice.
      (value) => codePoints(value) < Math.max(min, 1) || hasControls(value) || isVisible(value),
      'must contain a visible character',
    )
    .meta(bounds(min, max));

/** A text with something to be seen; an empty one is told to be too short, and need not be told twice. */
const visible = (schema: z.ZodString) =>
  schema
    .min(1)
    .refine((value) => value === '' || isVisible(value), 'must contain a visible character');

/** A word that people read, of any length: trimmed, with something to be seen. */
export const word = visible(z.string().trim()).meta({ minLength: 1 });

/** A word in one line. */
export const singleLine = inOneLine(word).meta({ minLength: 1 });

/** How many characters a name has that is an id, or that of a part of an entity. */
const maxNameLength = 200;
const ofPart = bounds(1, maxNameLength);

/** The name of a part of an entity: trimmed, in one line, with something to be seen. */
export const partName = inOneLine(visible(z.string().trim().max(maxNameLength))).meta(ofPart);

/** A name that is an id as well, and so part of a path, which takes `.` and `..` for steps. */
export const addressableName = partName
  .refine((value) => !isStep(value), 'must be more than dots')
  .meta(ofPart);

/** Why a name of another resource, such as a tag, cannot be registered; undefined if it can. */
export function faultOfName(name: string): string | undefined {
  if (name !== name.trim()) return 'must not begin or end with blanks';
  if (name === '') return 'must be at least 1 character long';
  if (name.length > maxNameLength) return `must be at most ${maxNameLength} characters long`;
  return addressableName.safeParse(name).error?.issues[0]?.message;
}

export const name = displayName(3, 100);
export const description = boundedText(z.string(), 0, 1000);

/** Epoch milliseconds, as far as there are dates. */
export const time = z.int().min(-8.64e15).max(8.64e15);
/** Names of a body, each at its first place. */
export const nameSet = (max: number) => z.array(word).max(max).overwrite(distinct);

export const tags = nameSet(most.tags);
export const strings = z.array(z.string());
/** Ids of units in a body. */
export const unitIDs = z.array(z.string().trim().min(1)).max(most.ids);

/** Texts of a body. */
export const texts = strings.max(most.entries);
export const nullableText = z.string().nullable();

/** A name in a body, or null for none. */
export const nullableName = z.string().trim().nullable();

/** An address that people open: no script hides in it. */
export const link = z.url({
  protocol: /^(https?|mailto)$/,
  error: 'must be a link that begins with http:, https: or mailto:',
});

/** `targetApps` in a body: one app, several, or null for none; answered as an array. */
export const targetAppsInput = z
  .union([word, nameSet(most.entries)])
  .nullable()
  .meta({ id: 'TargetAppsInput', description: 'One app, several, or null for none.' })
  .transform((apps) => (apps === null ? [] : [apps].flat()));

/** `idType` in a body: null means the default. */
export const idTypeInput = word.nullable().transform((idType) => idType ?? 'userID');

/** A text in a body: null means none, answered as "". */
export const textInput = nullableText.transform((text) => text ?? '');

/** A name in a body: null means none, answered as "". */
export const nameInput = nullableName.transform((name) => name ?? '');

/** The creator in a body, in place of the caller; null for no such wish. */
export const creatorInput = {
  creatorID: nullableText.transform((creatorID) => creatorID ?? undefined),
  creatorEmail: nullableText,
};

/** What every stored entity carries. */
export const stamps = {
  version: z.int().min(1),
  createdTime: time,
  creatorID: z.string(),
  creatorName: z.string(),
  creatorEmail: nullableText,
  lastModifiedTime: time,
  lastModifierID: z.string(),
  lastModifierName: z.string(),
  lastModifierEmail: nullableText,
};

export type Stamps = z.infer<z.ZodObject<typeof stamps>>;

/** What a name carries that may be used without being registered. */
export const usedStamps = z
  .object(Object.fromEntries(Object.entries(stamps).map(([key, stamp]) => [key, stamp.nullable()])))
  .meta({ id: 'UsedStamps' });

/** An example of the stamps, for the documentation. */
export const stampsExample = {
  version: 1,
  createdTime: 1767225600000,
  creatorID: 'root',
  creatorName: 'CONSOLE API',
  creatorEmail: null,
  lastModifiedTime: 1767225600000,
  lastModifierID: 'root',
  lastModifierName: 'CONSOLE API',
  lastModifierEmail: null,
};

/** The types that the value of a parameter can have. */
export const valueType = z
  .enum(['string', 'number', 'boolean', 'object', 'array'])
  .meta({ id: 'ValueType' });

/** Names that must differ within an array, where given: reports the second of two equal ones at its place. */
export const distinctNames =
  (property: string) =>
  (items: readonly Record<string, unknown>[], context: z.RefinementCtx): void => {
    const seen = new Set<unknown>();
    items.forEach((item, index) => {
      if (item[property] === undefined) return;
      if (seen.has(item[property]))
        report(context, 'is used twice; each must differ', index, property);
      seen.add(item[property]);
    });
  };

/**
 * A query parameter that is given once or repeated; answered as an array. One value with commas stands for several, as
 * `a,b` does; repeated, or with brackets, a value is what it is, but for blanks around it.
 */
export const repeatable = <S extends z.ZodType<string, string>>(item: S) =>
  z
    .union([z.string(), strings])
    .transform((value) => (typeof value === 'string' ? value.split(',') : value))
    .transform((values) => distinct(values.map((value) => value.trim())))
    .pipe(z.array(item).max(most.filterValues))
    .optional();

/** A filter by a word or a name, which is stored trimmed. */
export const wordFilter = z.string().trim().optional();

/** A yes or no in a query. */
export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .pipe(z.boolean())
  .optional();

/** Some properties of an entity: what is absent, or undefined, is not said. */
export type Patch<E> = { [P in keyof E]?: E[P] | undefined };

/** Merges a partial update: what is absent stays as it is. */
export function merge<E extends object>(entity: E, patch: Patch<E>): E {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...entity, ...Object.fromEntries(given) };
}

/**
 * The properties of an entity that a schema names, in its order: what a response shows of it.
 * @param computed those that the entity lacks; given apart, as a copy of the entity with them takes longer than all the rest
 */
export function show<S extends z.ZodObject, C extends Partial<z.output<S>> = Record<never, never>>(
  schema: S,
  entity: Omit<z.output<S>, keyof C>,
  computed?: C,
): z.output<S> {
  const [given, shown] = [Object(entity), Object({})];
  for (const property of Object.keys(schema.shape)) shown[property] = given[property];
  return Object.assign(shown, computed);
}
