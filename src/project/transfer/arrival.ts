import { isEqual } from '../../base/equal.ts';
import { stamps } from '../../base/fields.ts';
import type { Anchor } from '../../base/naming.ts';
import { Problem } from '../../base/problem.ts';
import { memberOf } from '../../base/value_types.ts';
import { requireNormalized } from '../../flags/rules/overrides.ts';
import {
  anyEntity,
  laterProperties,
  type Portable,
  type Portables,
  readAs,
  requireKept,
  requireTrimmed,
  withoutNulls,
} from '../../platform/resource/portable.ts';
import { creationStamps } from '../../platform/store/changes/transaction.ts';
import type { Author } from '../../platform/store/core/author.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import { restorable } from './restorable.ts';
import type { Line, ListResponse, PortableRevision, Refusal } from './schema.ts';

interface Origin {
  place: string;
  portable: Portable;
  given?: Readonly<Record<string, unknown>>;
}

export type Arrival = Origin &
  ({ entity: Entity; refusal?: never } | { entity?: never; refusal: Refusal });

export type Acceptable = Arrival & { entity: Entity };

export const anchorOf = ({ portable, entity, refusal }: Arrival): Anchor => ({
  kind: portable.kind.kind,
  id: (entity ?? refusal).id,
});

/** Whether a list contains a property; null does not count for a property with another value. */
export function isGiven({ given, entity }: Acceptable, name: string): boolean {
  if (!given) return true;
  return given[name] === null ? memberOf(entity, name) === null : given[name] !== undefined;
}

interface Arrivals {
  entities: Arrival[];
  revisions: PortableRevision[];
  ignored: Set<string>;
}

const entityOf = (record: object): Entity => readAs(anyEntity, record);

/** Parses the stored state of an exported entity. @throws Problem 400 unless it could be stored unchanged */
function parseExported(portable: Portable, given: object, author: Author): Entity {
  const { kind, stored, creation } = portable;
  const record = { ...given, version: 1 };
  const known = new Map(Object.entries(readAs(stored, record)));
  const changed = Object.entries(record).filter(([key, value]) => !isEqual(known.get(key), value));
  if (changed.length > 0)
    throw Problem.invalid(
      changed.map(([property]) => ({
        property,
        errorMessage: 'must not have unknown members, or blanks around a text',
      })),
    );
  const entity = entityOf(record);
  requireTrimmed(portable, entity);
  const body = withoutNulls(record);
  const made = creation?.make(body, author);
  const id = made ? memberOf(made, 'id') : (kind.idOf?.(entity) ?? entity.id);
  if (id !== entity.id)
    throw Problem.property('id', `must be ${id}, which follows from other properties`);
  if (creation && made) requireKept(creation, body, made);
  return entity;
}

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

function archivedAs({ status, isEnabled }: Record<string, unknown>): object {
  if (status !== 'Archived') return {};
  return { archivedFrom: isEnabled === false ? 'Disabled' : 'In Progress', forceArchive: true };
}

function parseListed(
  { stored, creation, fromList }: Portable,
  record: object,
  author: Author,
): Entity {
  const given = withoutNulls(record);
  const ownedByCreation = new Set(
    creation?.properties.filter((property) => !laterProperties.has(property)),
  );
  const states = Object.entries(given).filter(
    ([key]) => key in stored.shape && !ownedByCreation.has(key),
  );
  const whole = {
    ...creation?.make(given, author),
    ...Object.fromEntries(states),
    ...archivedAs(given),
    ...fromList?.(given),
    ...stampsOf(record, author),
  };
  return entityOf(readAs(stored, whole));
}

function listedKind({ kind, pagination }: ListResponse, portables: Portables): Portable {
  const links = [pagination?.all, pagination?.nextPage, pagination?.previousPage];
  const path = links.find((link) => link)?.match(/\/console\/v1\/([\w/]+)/)?.[1];
  const all = [...portables.values()];
  const found = kind ? portables.get(kind) : all.find((portable) => portable.path === path);
  if (found) return found;
  throw Problem.property(
    'kind',
    `must be the kind of data, one of ${[...portables.keys()].join(', ')}`,
  );
}

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

const ignoredOf = ({ kind, stored, creation }: Portable, record: object): string[] =>
  Object.keys(record)
    .filter((key) => !(key in stored.shape || computed.has(key)))
    .filter((key) => !creation?.properties.includes(key))
    .map((key) => `${kind.kind}.${key}`);

/** Parses the lines of an import. */
export function arrivalsOf(
  lines: (Line | ListResponse)[],
  portables: Portables,
  author: Author,
): Arrivals {
  const arrivals: Arrivals = { entities: [], revisions: [], ignored: new Set() };
  const addArrival = (origin: Origin, record: object, read: typeof parseExported) => {
    const { place, portable } = origin;
    try {
      const entity = read(portable, record, author);
      portable.requireReached?.(entity);
      requireNormalized(entity, portable.kind.mergeOverrides(entity));
      arrivals.entities.push({ ...origin, entity });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const id = String(memberOf(record, 'id') ?? memberOf(record, 'name') ?? '');
      const refusal = { place, kind: portable.kind.kind, id, message: error.message };
      arrivals.entities.push({ ...origin, refusal });
    }
  };
  lines.forEach((line, index) => {
    const place = `lines.${index}`;
    if ('data' in line) {
      const portable = listedKind(line, portables);
      line.data.forEach((record, at) => {
        if (record.version === null) return; // a name that is used but not registered
        for (const name of ignoredOf(portable, record)) arrivals.ignored.add(name);
        addArrival({ place: `${place}.data.${at}`, portable, given: record }, record, parseListed);
      });
      return;
    }
    const { revision } = line;
    if (revision)
      arrivals.revisions.push(
        restorable(revision, portables.get(revision.kind), place, author.time),
      );
    const portable = line.kind && portables.get(line.kind);
    if (line.entity && portable) addArrival({ place, portable }, line.entity, parseExported);
    else if (line.entity) throw Problem.property(`${place}.kind`, 'is required');
    else if (!revision && (line.kind || !line.end))
      throw Problem.property(`${place}.entity`, 'is required');
  });
  return arrivals;
}
