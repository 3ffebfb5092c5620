import { getTableName } from 'drizzle-orm';
import * as z from 'zod';
import { fromZod } from '../../http/zod_errors.ts';
import { Problem } from '../../problem.ts';
import { readingOf } from '../../shared/bounds.ts';
import { isEqual } from '../../shared/equal.ts';
import { stamps } from '../../shared/fields.ts';
import { isObject } from '../../shared/value_types.ts';
import type { Author } from '../../store/core/author.ts';
import type { Entity } from '../../store/core/entity.ts';
import type { Kind } from '../../store/core/kind.ts';
import { remembered } from '../../store/sql/rows.ts';
import type { Experiment } from '../experiments/schema.ts';

/** A kind of entity that goes from one project to another. */
export interface Portable {
  kind: Kind<Entity>;
  /** Where it is listed, if not under the name of its table; the answers of a list can be imported. */
  path?: string;
  /** The schema of its stored state. */
  stored: z.ZodObject;
  /**
   * What a list does not tell of it, or tells otherwise, where nothing like it is created.
   * @throws Problem 400 where it cannot do without what a list does not tell
   */
  fromList?: (record: object) => object;
  /** 400 for a state that no change leads to, though its schema has it. */
  requireReached?(entity: Entity): void;
  /** How it comes into being from the body of its creation; absent where nothing like it does. */
  creation?: Creation;
}

/** What an entity of any kind has. */
export const anyEntity = z.looseObject({ id: z.string().min(1), ...stamps });

/** Where a kind is listed, below `/console/v1`. */
export const pathOf = ({ path, kind }: Portable): string => path ?? getTableName(kind.table);

interface Creation {
  /** The properties that the body has. */
  properties: readonly string[];
  /** 400 for what could not be created. */
  make: (record: object, author: Author) => object;
}

/** What comes from elsewhere, as a schema has it, or what is wrong with it: of much the first fault alone. */
export const readingAs = <S extends z.ZodType>(schema: S, record: object) =>
  schema.safeParse(record, readingOf(JSON.stringify(record).length));

/** The same; 400 that names what is wrong. */
export function readAs<S extends z.ZodType>(schema: S, record: object): z.output<S> {
  const { error, data } = readingAs(schema, record);
  if (error) throw fromZod(error, record, 'entity');
  return data;
}

/** The texts in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** 400 for names and unit IDs with blanks around them: all are stored without, and looked for so. */
export function requireTrimmed({ kind }: Portable, entity: Entity): void {
  const { idType, overrides, ids } = Object(entity);
  for (const [property, names] of Object.entries({
    ...kind.labels(entity),
    idType,
    overrides,
    ids,
  }))
    if (textsIn(names).some((name) => name !== name.trim()))
      throw Problem.property(property, 'must have no blanks around a name or ID');
}

/** What a record says, as a creation takes it: null is what nobody said. */
export const withoutNulls = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** What a creation takes and leaves to what comes after it. */
export const lived = new Set(['status', 'launchedGroupID', 'decisionReason']);

/** 400 for what a creation would make something else of, such as a text with blanks around it. */
export function requireKept({ properties }: Creation, given: object, made: object): void {
  const [said, kept] = [new Map(Object.entries(given)), new Map(Object.entries(made))];
  const others = properties
    .filter((name) => !lived.has(name) && said.has(name) && kept.has(name))
    .filter((name) => !isEqual(said.get(name), kept.get(name)));
  if (others.length === 0) return;
  const errorMessage = 'would be stored as something else, as a creation with it shows';
  throw Problem.invalid(others.map((property) => ({ property, errorMessage })));
}

/** A creation, as its route has it. */
export const creation = <S extends z.ZodObject>(
  body: S,
  make: (body: z.output<S>, author: Author) => object,
): Creation => ({
  properties: Object.keys(body.shape),
  make: (record, author) => make(readAs(body, record), author),
});

/**
 * What an archived experiment was, of which lists say only when it did what; one that was abandoned counts as stopped. A
 * group that another system names of one that is not decided says nothing.
 */
export function listedExperiment(record: object): Partial<Experiment> {
  const { status, startTime, endTime, decisionTime, launchedGroupID } = Object(record);
  if (status === 'decision_made') return {};
  const undecided = { launchedGroupID: null };
  if (status !== 'archived') return undecided;
  if (decisionTime && launchedGroupID) return { archivedFrom: 'decision_made' };
  if (endTime) return { ...undecided, archivedFrom: 'experiment_stopped' };
  return { ...undecided, archivedFrom: startTime ? 'assignment_stopped' : 'setup' };
}

const versions = remembered<z.ZodObject>();

/** What an earlier version of an entity has: it may lack what may be null, and what was not kept from the beginning. */
export const versionOf = ({ kind, stored }: Portable) =>
  versions(kind.kind, () => {
    const properties = Object.entries(stored.shape).map(([name, schema]) => {
      const mayLack = name === 'ruleTimes' || schema.safeParse(null).success;
      return [name, mayLack ? z.optional(schema) : schema];
    });
    return z.object(Object.fromEntries(properties));
  });
