import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { seal } from '../../base/sealing.ts';
import {
  type Connection,
  type ConnectionSection,
  type connectionPatch,
  connectionResponse,
  type Sections,
  sectionNames,
} from './schema.ts';
import { secretFields, secretPlaceholder } from './secret_fields.ts';

const isSecret = (field: string, value: unknown): value is string =>
  secretFields.has(field) && typeof value === 'string' && value !== '';

const isPlaceholder = (field: string, value: unknown) =>
  secretFields.has(field) && /^<[A-Z_]+>$/.test(String(value));

async function sealSection(name: string, fields: ConnectionSection, key: string | undefined) {
  const entries = Object.entries(fields).map(async ([field, value]) => {
    if (!isSecret(field, value) || isPlaceholder(field, value)) return [field, value];
    return [field, await seal(key, `${name}.${field}`, value)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Throws Problem 400 for sections without a known field, which would have no effect. */
export function requireFields(body: z.infer<typeof connectionPatch>): void {
  const names = Object.keys(body);
  if (Object.values(body).some((section) => Object.keys(section).length > 0)) return;
  const errorMessage = 'must have a known field';
  if (names.length > 0)
    throw Problem.invalid(names.map((property) => ({ property, errorMessage })));
}

/** Seals the secrets of a body. @throws Problem 503 if there is a secret and no usable key */
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

function mergeSection(
  name: string,
  current: ConnectionSection,
  fields: ConnectionSection,
): ConnectionSection {
  const given = Object.entries(fields).filter(([field, value]) => {
    if (!isPlaceholder(field, value)) return true;
    if (isSecret(field, current[field])) return false;
    const message = 'must be the secret itself; no secret is stored that a placeholder could keep';
    throw Problem.property(`${name}.${field}`, message);
  });
  return { ...current, ...Object.fromEntries(given) };
}

function sectionsOf(fieldsOf: (name: keyof Sections) => ConnectionSection): Sections {
  const sections = sectionNames.map((name) => [name, fieldsOf(name)] as const);
  return Object.fromEntries(sections.filter(([, fields]) => Object.keys(fields).length > 0));
}

/** Merges sections field by field. @throws Problem 400 for a placeholder without a stored secret */
export const mergeSections = (current: Sections, patch: Sections): Sections =>
  sectionsOf((name) => mergeSection(name, current[name] ?? {}, patch[name] ?? {}));

const redactSection = (fields: ConnectionSection): ConnectionSection =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      isSecret(field, value) ? secretPlaceholder(field) : value,
    ]),
  );

/** Replaces each secret by a placeholder, for responses and history. */
export const redactSecrets = (connection: Connection): Connection => ({
  ...connection,
  ...sectionsOf((name) => redactSection(connection[name] ?? {})),
});

const withoutSecretFields = (fields: ConnectionSection): ConnectionSection =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !secretFields.has(field)));

export const sectionsWithoutPlaceholders = (sections: Sections): Sections =>
  sectionsOf((name) => withoutSecretFields(sections[name] ?? {}));

export const viewConnection = (connection: Connection) =>
  connectionResponse.parse(redactSecrets(connection));
