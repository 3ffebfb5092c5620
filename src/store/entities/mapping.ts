import { getTableColumns } from 'drizzle-orm';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';

/** An entity as a row of its table: what has no column of its own goes into `settings`. */
export function toRow({ table }: Kind<Entity>, entity: Entity): object {
  const columns = getTableColumns(table);
  if (!('settings' in columns)) return entity;
  const settings = Object.entries(entity).filter(([property]) => !(property in columns));
  return { ...entity, settings: Object.fromEntries(settings) };
}

/** A row as the entity that it stands for; most rows are that already, and a copy takes as long as all that is read of it. */
export function fromRow<E extends Entity>({ unlisted }: Kind<E>, row: object): E {
  if (!('settings' in row) && Object.keys(unlisted).length === 0) return row as E;
  const { settings, ...columns }: { settings?: object } = row;
  return { ...unlisted, ...columns, ...settings } as E;
}
