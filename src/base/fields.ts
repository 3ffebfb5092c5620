import * as z from 'zod';
import { distinct } from './distinct.ts';
import { counted } from './english.ts';
import { isStep } from './ids.ts';
import { limits } from './limits.ts';
import { report } from './report.ts';
import { memberOf } from './value_types.ts';

/** Returns the number of characters; one beyond U+FFFF counts once. */
export const codePoints = (value: string) => [...value].length;

/** Whether a text has a visible character: not only spaces, marks, control, ignorable or private characters. */
const isVisible = (value: string) =>
  /[^\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u.test(value);

/** Whether a text has control characters, line or paragraph separators, or lone surrogates. */
export const hasControls = (value: string) => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value);

/** Whether a text has characters that reverse its display; U+200E, U+200F and U+061C are allowed. */
const changesDirection = (value: string) => /[\u202a-\u202e\u2066-\u2069]/.test(value);

const inOneLine = (schema: z.ZodString) =>
  schema
    .refine((value) => !hasControls(value), 'must not contain control characters')
    .refine(
      (value) => !changesDirection(value),
      'must not contain characters that change the direction of text',
    );

/** A key of a JSON object that becomes a path in SQL, which has no control characters. */
export const jsonKey = inOneLine(z.string());

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
    .meta(lengthBounds(min, max));

/** The length bounds for the OpenAPI document, set after all checks: a check may drop earlier metadata. */
const lengthBounds = (min: number, max: number) =>
  min > 0 ? { minLength: min, maxLength: max } : { maxLength: max };

/** A name for people: trimmed, without control characters, with a visible character. */
export const displayName = (min: number, max: number) =>
  inOneLine(boundedText(z.string().trim(), min, max))
    .refine(
      // other checks report a short text and control characters
      (value) => codePoints(value) < Math.max(min, 1) || hasControls(value) || isVisible(value),
      'must contain a visible character',
    )
    .meta(lengthBounds(min, max));

/** A text with a visible character; an empty one is only reported as too short. */
const withVisible = (schema: z.ZodString) =>
  schema
    .min(1)
    .refine((value) => value === '' || isVisible(value), 'must contain a visible character');

export const word = withVisible(z.string().trim()).meta({ minLength: 1 });

export const singleLine = inOneLine(word).meta({ minLength: 1 });

const maxNameLength = 200;
const nameBounds = lengthBounds(1, maxNameLength);

/** The name of a part of an entity: trimmed, one line, with a visible character. */
export const partName = inOneLine(withVisible(z.string().trim().max(maxNameLength))).meta(
  nameBounds,
);

/** A name that is also an ID in paths, which resolve `.` and `..`. */
export const addressableName = partName
  .refine((value) => !isStep(value), 'must be more than dots')
  .meta(nameBounds);

/** Returns why a name, such as a tag, cannot be registered; undefined if it can. */
export function faultOfName(name: string): string | undefined {
  if (name !== name.trim()) return 'must not begin or end with blanks';
  if (name === '') return 'must be at least 1 character long';
  if (name.length > maxNameLength) return `must be at most ${maxNameLength} characters long`;
  return addressableName.safeParse(name).error?.issues[0]?.message;
}

export const name = displayName(3, 100);
export const description = boundedText(z.string(), 0, 1000);

/** Epoch milliseconds, within the range of dates. */
export const time = z.int().min(-8.64e15).max(8.64e15);
/** Names in a body, each once. */
export const nameSet = (max: number) => z.array(word).max(max).overwrite(distinct);

export const tags = nameSet(limits.tags);
export const strings = z.array(z.string());
export const unitIDs = z.array(z.string().trim().min(1)).max(limits.ids);

export const texts = strings.max(limits.entries);
export const nullableText = z.string().nullable();

export const nullableName = z.string().trim().nullable();

/** A link for people; other schemes could run scripts. */
export const link = z.url({
  protocol: /^(https?|mailto)$/,
  error: 'must be a link that begins with http:, https: or mailto:',
});

/** `targetApps` in a body: one app, several or null; stored as an array. */
export const targetAppsInput = z
  .union([word, nameSet(limits.entries)])
  .nullable()
  .meta({ id: 'TargetAppsInput' })
  .transform((apps) => (apps === null ? [] : [apps].flat()));

export const idTypeInput = word.nullable().transform((idType) => idType ?? 'userID');

export const textInput = nullableText.transform((text) => text ?? '');

export const nameInput = nullableName.transform((name) => name ?? '');

export const creatorInput = {
  creatorID: nullableText.transform((creatorID) => creatorID ?? undefined),
  creatorEmail: nullableText,
};

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

/** The stamps of a name; null if it is used but not registered. */
export const usedStamps = z
  .object(Object.fromEntries(Object.entries(stamps).map(([key, stamp]) => [key, stamp.nullable()])))
  .meta({ id: 'UsedStamps' });

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

export const valueType = z
  .enum(['string', 'number', 'boolean', 'object', 'array'])
  .meta({ id: 'ValueType' });

/** Returns a check that the values of a property differ within an array. */
export const distinctNames =
  (property: string) =>
  (items: readonly Record<string, unknown>[], context: z.RefinementCtx): void => {
    const seen = new Set<unknown>();
    items.forEach((item, index) => {
      if (item[property] === undefined) return;
      if (seen.has(item[property]))
        report(context, 'must differ from the others; it is used twice', index, property);
      seen.add(item[property]);
    });
  };

/** A repeatable query parameter. Only a single value without brackets is split at commas. */
export const repeatable = <S extends z.ZodType<string, string>>(item: S) =>
  z
    .union([z.string(), strings])
    .transform((value) => (typeof value === 'string' ? value.split(',') : value))
    .transform((values) => distinct(values.map((value) => value.trim())))
    .pipe(z.array(item).max(limits.filterValues))
    .optional();

export const wordFilter = z.string().trim().optional();

export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .pipe(z.boolean())
  .optional();

export type Patch<E> = { [P in keyof E]?: E[P] | undefined };

/** Applies a partial update. */
export function merge<E extends object>(entity: E, patch: Patch<E>): E {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...entity, ...Object.fromEntries(given) };
}

/** Returns the properties that a schema lists; copying the entity to add `computed` would take most of the time. */
export function show<S extends z.ZodObject, C extends Partial<z.output<S>> = Record<never, never>>(
  schema: S,
  entity: Omit<z.output<S>, keyof C>,
  computed?: C,
): z.output<S>;
export function show(schema: z.ZodObject, entity: object, computed?: object): object {
  const view: Record<string, unknown> = {};
  for (const property of Object.keys(schema.shape)) view[property] = memberOf(entity, property);
  return Object.assign(view, computed);
}
