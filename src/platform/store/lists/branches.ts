import { and, eq, type SQL, sql } from 'drizzle-orm';
import { distinct } from '../../../base/distinct.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { totalOfKind } from '../derived/totals.ts';
import { columnOf } from '../sql/columns.ts';
import { constant } from '../sql/expressions.ts';
import { query } from '../sql/statement.ts';
import { labels } from '../sql/tables.ts';
import { type AccessPath, equalsOrIn, type FilterPart, placeholderOfPath } from './filters.ts';

/** One select of the rows of a list: through the labels, which are in the order of the newest, or of the table only. */
export interface Branch {
  byLabel: boolean;
  where: SQL | undefined;
}

/** Each row is in one branch. */
export interface Branches {
  branches: Branch[];
  /** Chooses the access path if several filters have one. */
  narrowest: ReturnType<typeof narrowestBranch> | undefined;
}

/** D1 accepts at most 5 selects in a union. */
export const maxSelects = 5;

function hiddenness(
  { list: { hidden } }: Kind<Entity>,
  all: boolean,
  parts: FilterPart[],
): boolean[] {
  if (!hidden || !all) return [false];
  const part = parts.find(({ accessPaths: [path] }) => path?.property === hidden.column);
  if (!part || part.accessPaths.length > 1) return [false, true];
  const value = part.values[hidden.column];
  const wanted: unknown[] = part.accessPaths[0]?.isMany ? JSON.parse(String(value)) : [value];
  return distinct(wanted.map((each) => each === hidden.value));
}

type By = Pick<AccessPath, 'by' | 'property'>;

type ValuesSQL = (given: SQL) => SQL;

const asGiven: ValuesSQL = (given) => given;

/** The conditions of visibility, one for each select that needs an index of its own. */
function visibilities(kind: Kind<Entity>, wanted: boolean[], by?: By, values = asGiven) {
  const { hidden } = kind.list;
  if (by?.by === 'label') return wanted.map((is) => eq(labels.hidden, is));
  if (!hidden || by?.property === hidden.column || by?.property === hidden.onlyHidden)
    return [undefined];
  if (by?.by === 'ids' && wanted.includes(true)) return [undefined];
  const isHidden = eq(columnOf(kind.table, hidden.column), values(constant(hidden.value)));
  return wanted.map((is) => (is ? isHidden : sql.raw(hidden.visible)));
}

/** Negative if there is none. */
const countedAt = ({ list: { totals } }: Kind<Entity>, property: string): number =>
  totals.find((group) => group.includes(property))?.indexOf(property) ?? -1;

/** The possible access paths: labels and one filter of each group of totals come first, because `maxSelects` cuts. */
function leadersOf(kind: Kind<Entity>, hidden: boolean[], parts: FilterPart[]): FilterPart[] {
  const rank = ({ accessPaths: [path] }: FilterPart) =>
    path?.by === 'index' ? countedAt(kind, path.property) : -1;
  let room = maxSelects;
  return parts
    .filter(({ accessPaths }) => accessPaths.length > 0)
    .toSorted((one, other) => rank(one) - rank(other))
    .filter(({ accessPaths }) => {
      room -= accessPaths.flatMap((path) => visibilities(kind, hidden, path)).length;
      return room >= 0;
    });
}

const totalsFor = (kind: Kind<Entity>, all: boolean, { accessPaths, counted }: FilterPart) => [
  ...(counted ? [totalOfKind(kind, all, counted)] : []),
  ...accessPaths.map((path) =>
    totalOfKind(kind, all, {
      property: path.property,
      are: (value) => equalsOrIn(value, path.isMany, placeholderOfPath(path)),
    }),
  ),
];

/** Returns the kept totals that add up to the total of a list; none if it must be counted. */
export function keptTotals(kind: Kind<Entity>, all: boolean, [part, ...others]: FilterPart[]) {
  if (!part) return [totalOfKind(kind, all)];
  const isKept = others.length === 0 && part.accessPaths.every(({ by }) => by !== 'ids');
  return isKept ? totalsFor(kind, all, part) : [];
}

function narrowestBranch(kind: Kind<Entity>, all: boolean, leaders: FilterPart[]) {
  const totals = leaders.map((leader) => {
    const name = sql<string>`${leader.name}`.as('name');
    const total = sql<number>`${sql.join(totalsFor(kind, all, leader), sql` + `)}`.as('total');
    return query.select({ name, total }).from(sql`(select 1)`).$dynamic();
  });
  const union = totals.reduce((one, other) => one.unionAll(other));
  return query.$with('narrowest').as(union.orderBy(({ total }) => total).limit(1));
}

const checksBut = (leading: FilterPart, parts: FilterPart[]) =>
  parts.filter((part) => part !== leading).map(({ checked }) => checked());

/** Returns the branches of a list. Totals decide at run time which one returns the rows; the others search for null. */
export function branchesTo(kind: Kind<Entity>, all: boolean, parts: FilterPart[]): Branches {
  const hidden = hiddenness(kind, all, parts);
  const branchesBy = (conditions: (SQL | undefined)[], by?: By, values?: ValuesSQL): Branch[] =>
    visibilities(kind, hidden, by, values).map((visible) => ({
      byLabel: by?.by === 'label',
      where: and(visible, ...conditions),
    }));

  const found = parts.find(({ namesIDs }) => namesIDs);
  if (found) {
    const conditions = [found.where(), ...checksBut(found, parts)];
    return {
      branches: branchesBy(conditions, { by: 'ids', property: found.name }),
      narrowest: undefined,
    };
  }

  const leaders = leadersOf(kind, hidden, parts);
  if (leaders.length === 0)
    return { branches: branchesBy(parts.map(({ where }) => where())), narrowest: undefined };

  const narrowest = leaders.length > 1 ? narrowestBranch(kind, all, leaders) : undefined;
  const leading = narrowest && query.select({ name: narrowest.name }).from(narrowest);
  const branches = leaders.flatMap((leader) => {
    // A select that is not chosen must find nothing, so it searches for null.
    const values: ValuesSQL = (wanted) =>
      leading ? sql`iif(${leading} = ${leader.name}, ${wanted}, null)` : wanted;
    return leader.accessPaths.flatMap((path) =>
      branchesBy(
        [path.having(values(placeholderOfPath(path))), ...checksBut(leader, parts)],
        path,
        values,
      ),
    );
  });
  return { branches, narrowest };
}
