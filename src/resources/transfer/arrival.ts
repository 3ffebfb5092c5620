import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import { stamps } from '../../shared/fields.ts';
import type { Anchor } from '../../shared/naming.ts';
import { requireAsMade } from '../../shared/overrides.ts';
import { creationStamps } from '../../store/changes/transaction.ts';
import type { Author } from '../../store/core/author.ts';
import type { Entity } from '../../store/core/entity.ts';
import {
  anyEntity,
  lived,
  type Portable,
  pathOf,
  readAs,
  requireKept,
  requireTrimmed,
  withoutNulls,
} from './portability.ts';
import { portableOf, portables } from './portable.ts';
import { restorable } from './restorable.ts';
import type { Line, ListAnswer, PortableRevision, Refusal } from './schema.ts';

/** Where in a request something stands, of which kind it is, and what a list tells of it; absent where that is all. */
interface Origin {
  place: string;
  portable: Portable;
  told?: Readonly<Record<string, unknown>>;
}

/** What comes from elsewhere: an entity, or why it can be none. */
export type Arrival = Origin &
  ({ entity: Entity; refusal?: never } | { entity?: never; refusal: Refusal });

/** What may be stored. */
export type Acceptable = Arrival & { entity: Entity };

/** What an arrival is, or says that it is. */
export const anchorOf = ({ portable, entity, refusal }: Arrival): Anchor => ({
  kind: portable.kind.kind,
  id: (entity ?? refusal).id,
});

/** Whether a property of it is told: a null says nothing of what is not null. */
export function isTold({ told, entity }: Acceptable, name: string): boolean {
  if (!told) return true;
  return told[name] === null ? Object(entity)[name] === null : told[name] !== undefined;
}

/** All that a request brings. */
interface Arrivals {
  entities: Arrival[];
  revisions: PortableRevision[];
  ignored: Set<string>;
}

/** A record as an entity; 400 for one without an id. */
const entityOf = (record: object): Entity => readAs(anyEntity, record);

/** The stored state of an entity as an export has it; 400 for what could not be stored here as it is. */
function asStored(portable: Portable, given: object, author: Author): Entity {
  const { kind, stored, creation } = portable;
  const record = { ...given, version: 1 };
  const known = new Map(Object.entries(readAs(stored, record)));
  const strange = Object.entries(record).filter(([key, value]) => !isEqual(known.get(key), value));
  if (strange.length > 0)
    throw Problem.invalid(
      strange.map(([property]) => ({
        property,
        errorMessage: 'has something that is not known here, or blanks around a text',
      })),
    );
  const entity = entityOf(record);
  requireTrimmed(portable, entity);
  const said = withoutNulls(record);
  const made = creation?.make(said, author);
  const id = made ? Object(made).id : (kind.idOf?.(entity) ?? entity.id);
  if (id !== entity.id) throw Problem.property('id', `must be ${id}, which follows from the rest`);
  if (creation && made) requireKept(creation, said, made);
  return entity;
}

/** Whose change it was and when, as far as a record says. */
function stampsOf(record: object, author: Author) {
  const given = new Map(Object.entries(record));
  const own = new Map(Object.entries(creationStamps(author, 1)));
  return Object.fromEntries(
    Object.entries(stamps).map(([name, schema]) => {
      const { success, data } = schema.safeParse(given.get(name));
      return [name, success ? data : own.get(name)];
    }),
  );
}

/** What an archived entity was, as far as lists say; what may have been by force counts so, as something may name it. */
function archivedAs({ status, isEnabled }: Record<string, unknown>): object {
  if (status !== 'Archived') return {};
  return { archivedFrom: isEnabled === false ? 'Disabled' : 'In Progress', forceArchive: true };
}

/** An entity out of what a list answers of it: it is created by that, and then is as it was. */
function asListed(
  { stored, creation, fromList }: Portable,
  record: object,
  author: Author,
): Entity {
  const given = withoutNulls(record);
  const taken = new Set(creation?.properties.filter((property) => !lived.has(property)));
  const states = Object.entries(given).filter(([key]) => key in stored.shape && !taken.has(key));
  const whole = {
    ...creation?.make(given, author),
    ...Object.fromEntries(states),
    ...archivedAs(given),
    ...fromList?.(given),
    ...stampsOf(record, author),
  };
  return entityOf(readAs(stored, whole));
}

/** The kind of what a list answers: as it is said, or by its links. */
function listedKind({ kind, pagination }: ListAnswer): Portable {
  const links = [pagination?.all, pagination?.nextPage, pagination?.previousPage];
  const path = links.find((link) => link)?.match(/\/console\/v1\/([\w/]+)/)?.[1];
  const found = kind ? portableOf(kind) : portables.find((portable) => pathOf(portable) === path);
  if (found) return found;
  const known = portables.map((portable) => portable.kind.kind).join(', ');
  throw Problem.property('kind', `must say what data has, one of ${known}`);
}

/** What lists answer that is computed as it is read. */
const computed = new Set([
  'checksPerHour',
  'healthChecks',
  'healthCheckStatus',
  'isStale',
  'isStarted',
  'lineage',
  'typeReason',
  'uses',
]);

/** The properties of a record that mean nothing here: neither stored, nor made out of what is. */
const ignoredOf = ({ kind, stored, creation }: Portable, record: object): string[] =>
  Object.keys(record)
    .filter((key) => !(key in stored.shape || computed.has(key)))
    .filter((key) => !creation?.properties.includes(key))
    .map((key) => `${kind.kind}.${key}`);

/** Reads off each line what it brings. */
export function arrivalsOf(lines: (Line | ListAnswer)[], author: Author): Arrivals {
  const arrivals: Arrivals = { entities: [], revisions: [], ignored: new Set() };
  const bring = (origin: Origin, record: object, read: typeof asStored) => {
    const { place, portable } = origin;
    try {
      const entity = read(portable, record, author);
      portable.requireReached?.(entity);
      requireAsMade(entity, portable.kind.joined(entity));
      arrivals.entities.push({ ...origin, entity });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const id = String(Object(record).id ?? Object(record).name ?? '');
      const refusal = { place, kind: portable.kind.kind, id, message: error.message };
      arrivals.entities.push({ ...origin, refusal });
    }
  };
  lines.forEach((line, index) => {
    const place = `lines.${index}`;
    if ('data' in line) {
      const portable = listedKind(line);
      line.data.forEach((record, at) => {
        if (record.version === null) return; // A name that is used, and not registered.
        for (const name of ignoredOf(portable, record)) arrivals.ignored.add(name);
        bring({ place: `${place}.data.${at}`, portable, told: record }, record, asListed);
      });
      return;
    }
    if (line.revision) arrivals.revisions.push(restorable(line.revision, place, author.time));
    const portable = line.kind && portableOf(line.kind);
    if (line.entity && portable) bring({ place, portable }, line.entity, asStored);
    else if (line.entity) throw Problem.property(`${place}.kind`, 'is required');
    else if (!line.revision && (line.kind || !line.end))
      throw Problem.property(`${place}.entity`, 'is required');
  });
  return arrivals;
}
