import { dequal } from 'dequal/lite';
import { type SQL, sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the store itself needs to know of an entity; every resource's stored schema has these (see `fields.ts`). */
export interface Entity {
  id: string;
  version: number;
  createdTime: number;
  creatorID: string;
  creatorName: string;
  creatorEmail: string | null;
  lastModifierID: string;
  lastModifierName: string;
  lastModifierEmail: string | null;
  lastModifiedTime: number;
}

/** Properties that change with every change, and so say nothing of what was changed. */
const stamped = new Set([
  'version',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'lastModifiedTime',
]);

/** The properties in which two states of an entity differ, but for the stamps of the change itself. */
export function changedProperties(old: object, current: object): string[] {
  const [before, after] = [new Map(Object.entries(old)), new Map(Object.entries(current))];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (property) => !stamped.has(property) && !dequal(before.get(property), after.get(property)),
  );
}

const property = (name: string): SQL => sql.raw(`json_extract(data, '$.${name}')`);

/** A text property of the entity as a column, computed by the database, for filters. */
export const textField = (name: string) =>
  text().generatedAlwaysAs(property(name), { mode: 'virtual' });

/** A number or boolean (0, 1) property of the entity as a column, computed by the database, for filters. */
export const numberField = (name: string) =>
  integer().generatedAlwaysAs(property(name), { mode: 'virtual' });

/** The columns that every entity has: the whole entity as JSON, and what lists are ordered and filtered by. */
const entityColumns = () => ({
  id: text().primaryKey(),
  data: text().notNull(),
  createdTime: numberField('createdTime'),
  lastModifiedTime: numberField('lastModifiedTime'),
  creatorID: textField('creatorID'),
  creatorName: textField('creatorName'),
});

type Fields = Record<string, ReturnType<typeof textField> | ReturnType<typeof numberField>>;

/**
 * The table of one kind of entity.
 * @param name the table's name, in plural: `gates`
 * @param fields the further properties that its lists filter on
 * @param indexed those of them that have an index of their own
 */
export const entityTable = <const F extends Fields>(
  name: string,
  fields: F,
  indexed: (keyof F & string)[] = [],
) =>
  sqliteTable(name, { ...entityColumns(), ...fields }, (table) => [
    index(`${name}_newest`).on(sql`${table.createdTime} desc`, table.id),
    ...indexed.map((field) => index(`${name}_${field}`).on(sql`${sql.raw(field)}`)),
    check(`${name}_json`, sql`json_valid(data)`),
  ]);

/** The table of any kind of entity. */
export type EntityTable = ReturnType<typeof entityTable<Record<never, never>>>;
