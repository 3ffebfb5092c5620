import * as z from 'zod';
import { isEqual } from '../../base/equal.ts';
import { stamps } from '../../base/fields.ts';
import { parseContext } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { isObject, recordOf } from '../../base/value_types.ts';
import { fromZod } from '../http/zod_errors.ts';
import type { Author } from '../store/core/author.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import { remembered } from '../store/sql/rows.ts';

/** The stages of an export: names precede the entities that mention them. Each stage has the order of the registry. */
const stages = [
  'names',
  'parts',
  'flags',
  'layers',
  'experiments',
  'content',
  'collections',
] as const;

export interface Transfer {
  stage: (typeof stages)[number];
  stored: z.ZodObject;
  /** Returns properties that a list leaves out or changes. @throws Problem 400 if a list lacks too much */
  fromList?: (record: object) => object;
  requireReached?(entity: Entity): void;
  creation?: ImportedCreation;
}

export interface Portable extends Transfer {
  kind: HookedKind<Entity>;
  path: string;
}

export type Portables = ReadonlyMap<string, Portable>;

/** Returns the exported kinds: all except the kinds of the deployment, such as keys and webhooks. */
export function portablesOf(
  registry: readonly { path: string; kind?: HookedKind<Entity>; transfer?: Transfer }[],
): Portables {
  const portables = registry.flatMap(({ path, kind, transfer }) =>
    kind && transfer ? { ...transfer, kind, path } : [],
  );
  const stageOf = ({ stage }: Transfer) => stages.indexOf(stage);
  const sorted = portables.toSorted((a, b) => stageOf(a) - stageOf(b));
  return new Map(sorted.map((portable) => [portable.kind.kind, portable]));
}

export const anyEntity = z.looseObject({ id: z.string().min(1), ...stamps });

interface ImportedCreation {
  properties: readonly string[];
  make: (record: object, author: Author) => object;
}

/** Parses an imported record; for a large one, only the first fault is reported. */
export const readingAs = <S extends z.ZodType>(schema: S, record: object) =>
  schema.safeParse(record, parseContext(JSON.stringify(record).length));

/** Parses an imported record. @throws Problem 400 naming the faults */
export function readAs<S extends z.ZodType>(schema: S, record: object): z.output<S> {
  const { error, data } = readingAs(schema, record);
  if (error) throw fromZod(error, record, 'entity');
  return data;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Throws Problem 400 for names and unit IDs with outer blanks: they are stored and looked up trimmed. */
export function requireTrimmed({ kind }: Portable, entity: Entity): void {
  const { idType, overrides, ids } = recordOf(entity);
  for (const [property, names] of Object.entries({
    ...kind.list.labels(entity),
    idType,
    overrides,
    ids,
  }))
    if (textsIn(names).some((name) => name !== name.trim()))
      throw Problem.property(property, 'must not have blanks around a name or ID');
}

/** Returns a record as the body of a creation, where null means not given. */
export const withoutNulls = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

export const laterProperties = new Set(['status', 'launchedGroupID', 'decisionReason']);

/** Throws Problem 400 for values that a creation would change, such as a text with outer blanks. */
export function requireKept({ properties }: ImportedCreation, given: object, made: object): void {
  const [sent, kept] = [new Map(Object.entries(given)), new Map(Object.entries(made))];
  const others = properties
    .filter((name) => !laterProperties.has(name) && sent.has(name) && kept.has(name))
    .filter((name) => !isEqual(sent.get(name), kept.get(name)));
  if (others.length === 0) return;
  const errorMessage = 'must be in the form in which a creation would store it';
  throw Problem.invalid(others.map((property) => ({ property, errorMessage })));
}

export const creation = <S extends z.ZodObject>(
  body: S,
  make: (body: z.output<S>, author: Author) => object,
): ImportedCreation => ({
  properties: Object.keys(body.shape),
  make: (record, author) => make(readAs(body, record), author),
});

const versions = remembered<z.ZodObject>();

/** Returns the schema of an earlier version: nullable properties and `ruleTimes`, which is newer, may be missing. */
export const portableVersion = ({ kind, stored }: Portable) =>
  versions(kind.kind, () => {
    const properties = Object.entries(stored.shape).map(([name, schema]) => {
      const mayLack = name === 'ruleTimes' || schema.safeParse(null).success;
      return [name, mayLack ? z.optional(schema) : schema];
    });
    return z.object(Object.fromEntries(properties));
  });
