import { and, eq, type SQL, sql } from 'drizzle-orm';
import { distinct } from '../../shared/distinct.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { totalOf } from '../derived/totals.ts';
import { columnOf } from '../sql/columns.ts';
import { constant, iif, oneRow, plus } from '../sql/expressions.ts';
import { query } from '../sql/statement.ts';
import { labels } from '../sql/tables.ts';
import { given, isGiven, type Lead, type Part } from './filters.ts';

/** One select of the rows of a list: through the labels, which are in the order of the newest, or of the table alone. */
export interface Arm {
  byLabel: boolean;
  where: SQL | undefined;
}

/** The selects that together have the rows of a list, each row once. */
export interface Arms {
  arms: Arm[];
  /** Where the rows can be reached by several filters: which one the arms go by. */
  narrowest: ReturnType<typeof narrowestOf> | undefined;
}

/** How many selects D1 takes in one. */
export const maxSelects = 5;

/** Which entities are listed: what is not hidden, what is, or both. */
function hiddenness({ hides }: Kind<Entity>, all: boolean, parts: Part[]): boolean[] {
  if (!hides || !all) return [false];
  const part = parts.find(({ leads: [lead] }) => lead?.property === hides.column);
  if (!part || part.leads.length > 1) return [false, true];
  const value = part.values[hides.column];
  const wanted: unknown[] = part.leads[0]?.isMany ? JSON.parse(String(value)) : [value];
  return distinct(wanted.map((each) => each === hides.value));
}

/** By what the rows of a select are reached, where it is not the order of the list alone. */
type By = Pick<Lead, 'by' | 'property'>;

/** What a select looks for: the given values, or nothing where another select has the rows. */
type Values = (given: SQL) => SQL;

const asGiven: Values = (given) => given;

/** The conditions of visibility, one for each select that needs an index of its own. */
function visibilities(kind: Kind<Entity>, hidden: boolean[], by?: By, values = asGiven) {
  const { hides } = kind;
  if (by?.by === 'label') return hidden.map((is) => eq(labels.hidden, is));
  if (!hides || by?.property === hides.column || by?.property === hides.only) return [undefined];
  if (by?.by === 'ids' && hidden.includes(true)) return [undefined];
  const isHidden = eq(columnOf(kind.table, hides.column), values(constant(hides.value)));
  return hidden.map((is) => (is ? isHidden : sql.raw(hides.visible)));
}

/** Where a property stands in the first group of totals that counts by it; below 0 where none does. */
const countedAt = ({ totals }: Kind<Entity>, property: string): number =>
  totals.find((group) => group.includes(property))?.indexOf(property) ?? -1;

/** The filters that may lead to the rows: labels, and one of each group of totals, come first, should there be too many. */
function leadersOf(kind: Kind<Entity>, hidden: boolean[], parts: Part[]): Part[] {
  const rank = ({ leads: [lead] }: Part) =>
    lead?.by === 'index' ? countedAt(kind, lead.property) : -1;
  let room = maxSelects;
  return parts
    .filter(({ leads }) => leads.length > 0)
    .toSorted((one, other) => rank(one) - rank(other))
    .filter(({ leads }) => {
      room -= leads.flatMap((lead) => visibilities(kind, hidden, lead)).length;
      return room >= 0;
    });
}

/** How many entities each lead of a filter leads to, one of several labels perhaps more than once; or how many meet it without. */
const totalsFor = (kind: Kind<Entity>, all: boolean, { leads, counted }: Part) => [
  ...(counted ? [totalOf(kind, all, counted)] : []),
  ...leads.map((lead) =>
    totalOf(kind, all, {
      property: lead.property,
      are: (value) => isGiven(value, lead.isMany, given(lead)),
    }),
  ),
];

/** The kept totals that come to that of a list; none where it is to be counted. */
export function keptTotals(kind: Kind<Entity>, all: boolean, [part, ...others]: Part[]) {
  if (!part) return [totalOf(kind, all)];
  const isKept = others.length === 0 && part.leads.every(({ by }) => by !== 'ids');
  return isKept ? totalsFor(kind, all, part) : [];
}

/** The name of the filter that leaves the fewest entities. */
function narrowestOf(kind: Kind<Entity>, all: boolean, leaders: Part[]) {
  const totals = leaders.map((leader) => {
    const name = constant(leader.name).as('name');
    const total = plus<number>(...totalsFor(kind, all, leader)).as('total');
    return query.select({ name, total }).from(oneRow).$dynamic();
  });
  const union = totals.reduce((one, other) => one.unionAll(other));
  return query.$with('narrowest').as(union.orderBy(({ total }) => total).limit(1));
}

/** What of the filters is checked on the rows that one of them leads to. */
const checksBut = (leading: Part, parts: Part[]): SQL[] =>
  parts.filter((part) => part !== leading).map(({ checked }) => checked());

/**
 * The arms that have the rows of a list. Of several filters the one leads that has the fewest rows, which the totals
 * know, and the others are checked on what it leads to; the arms of those find nothing.
 */
export function armsTo(kind: Kind<Entity>, all: boolean, parts: Part[]): Arms {
  const hidden = hiddenness(kind, all, parts);
  const armsBy = (conditions: SQL[], by?: By, values?: Values): Arm[] =>
    visibilities(kind, hidden, by, values).map((visible) => ({
      byLabel: by?.by === 'label',
      where: and(visible, ...conditions),
    }));

  const found = parts.find(({ namesIDs }) => namesIDs);
  if (found) {
    const conditions = [found.where(), ...checksBut(found, parts)];
    return { arms: armsBy(conditions, { by: 'ids', property: found.name }), narrowest: undefined };
  }

  const leaders = leadersOf(kind, hidden, parts);
  if (leaders.length === 0)
    return { arms: armsBy(parts.map(({ where }) => where())), narrowest: undefined };

  const narrowest = leaders.length > 1 ? narrowestOf(kind, all, leaders) : undefined;
  const leading = narrowest && query.select({ name: narrowest.name }).from(narrowest);
  const arms = leaders.flatMap((leader) => {
    // A select that is not wanted must find nothing: what it looks for is null.
    const values: Values = (wanted) => (leading ? iif(eq(leading, leader.name), wanted) : wanted);
    return leader.leads.flatMap((lead) =>
      armsBy([lead.having(values(given(lead))), ...checksBut(leader, parts)], lead, values),
    );
  });
  return { arms, narrowest };
}
