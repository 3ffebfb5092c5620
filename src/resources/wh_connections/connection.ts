import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { seal } from '../../shared/sealing.ts';
import {
  type Connection,
  type connectionPatch,
  connectionResponse,
  type Section,
  type Sections,
  sectionNames,
} from './schema.ts';
import { placeholderOf, secretFields } from './secret_fields.ts';

/** Whether a field holds a secret: it is one of those that do, and not empty. */
const isSecret = (field: string, value: unknown): value is string =>
  secretFields.has(field) && typeof value === 'string' && value !== '';

/** Whether it stands for a secret: any placeholder does, as other servers may write theirs differently. */
const isPlaceholder = (field: string, value: unknown) =>
  secretFields.has(field) && /^<[A-Z_]+>$/.test(String(value));

/** Seals the secrets of one section, each bound to its section and field; an empty text is none. */
async function sealSection(name: string, fields: Section, key: string | undefined) {
  const entries = Object.entries(fields).map(async ([field, value]) => {
    if (!isSecret(field, value) || isPlaceholder(field, value)) return [field, value];
    return [field, await seal(key, `${name}.${field}`, value)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** 400 for sections without a field, so that nobody takes anything of them for stored. */
export function requireFields(body: z.infer<typeof connectionPatch>): void {
  const names = Object.keys(body);
  if (Object.values(body).some((section) => Object.keys(section).length > 0)) return;
  const errorMessage = 'has no field that can be set here';
  if (names.length > 0)
    throw Problem.invalid(names.map((property) => ({ property, errorMessage })));
}

/**
 * Seals all secrets of a body, so that nothing after it holds one.
 * @param key the Worker's SEALING_KEY
 * @throws Problem 503 where there is a secret and no usable key
 */
export async function sealSecrets(
  body: z.infer<typeof connectionPatch>,
  key: string | undefined,
): Promise<Sections> {
  const sections = Object.entries(body).map(async ([name, fields]) => [
    name,
    await sealSection(name, fields, key),
  ]);
  return Object.fromEntries(await Promise.all(sections));
}

/** One section after a change; a placeholder leaves the stored secret as it is. */
function mergeSection(name: string, current: Section, fields: Section): Section {
  const given = Object.entries(fields).filter(([field, value]) => {
    if (!isPlaceholder(field, value)) return true;
    if (isSecret(field, current[field])) return false;
    const message = 'holds a placeholder, but no secret is stored; send the secret itself';
    throw Problem.property(`${name}.${field}`, message);
  });
  return { ...current, ...Object.fromEntries(given) };
}

/** The sections that have fields, each made for itself. */
function sectionsOf(fieldsOf: (name: keyof Sections) => Section): Sections {
  const sections = sectionNames.map((name) => [name, fieldsOf(name)] as const);
  return Object.fromEntries(sections.filter(([, fields]) => Object.keys(fields).length > 0));
}

/**
 * The sections after a change, merged field by field.
 * @throws Problem 400 for a placeholder that stands for nothing
 */
export const mergeSections = (current: Sections, patch: Sections): Sections =>
  sectionsOf((name) => mergeSection(name, current[name] ?? {}, patch[name] ?? {}));

const concealedSection = (fields: Section): Section =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      isSecret(field, value) ? placeholderOf(field) : value,
    ]),
  );

/** The connections with a placeholder for each secret, in answers and in history. */
export const concealed = (connection: Connection): Connection => ({
  ...connection,
  ...sectionsOf((name) => concealedSection(connection[name] ?? {})),
});

const withoutSecrets = (fields: Section): Section =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !secretFields.has(field)));

/** The sections of an answer without its secrets, for which placeholders stand. */
export const sectionsWithoutPlaceholders = (answered: Sections): Sections =>
  sectionsOf((name) => withoutSecrets(Object(answered[name])));

/** The connections as they are answered. */
export const viewConnection = (connection: Connection) =>
  connectionResponse.parse(concealed(connection));
