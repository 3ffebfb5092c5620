import { recordOf } from '../../base/value_types.ts';
import { type Answer, get } from '../base/api.ts';
import type { Entity, Segment } from '../base/types.ts';
import { type KindPage, ownPathOf } from './kind.ts';

/** Returns the ID in a response; its name if it has none. */
export function identityOf(data: unknown): string {
  const { id, name = '' } = recordOf(data);
  return String(id ?? name);
}

const withIdentity = <E extends Entity>(entity: E, kind = ''): E => ({
  ...entity,
  id: identityOf(entity) || kind,
  version: entity.version ?? 0,
});

/** Reads a page of a list. */
export async function loadList(path: string): Promise<Answer<Entity[]>> {
  const answer = await get<Entity[]>(path);
  return { ...answer, data: answer.data.map((entity) => withIdentity(entity)) };
}

/** Returns the cache key of an entity. */
export const entityRead = (kind: Pick<KindPage, 'path' | 'apiPath' | 'isSingle'>, id: string) =>
  `entity ${ownPathOf(kind, id)}`;

/** Reads an entity, including parts with their own path. */
export async function loadEntity<E extends Entity>(kind: KindPage<E>, id: string): Promise<E> {
  const path = ownPathOf(kind, id);
  return kind.load ? kind.load(path) : withIdentity((await get<E>(path)).data, kind.path);
}

/** Reads a segment with its IDs. */
export async function withIDs(path: string): Promise<Segment> {
  const { data } = await get<Segment>(path);
  if (data.type !== 'id_list') return { ...data, ids: [] };
  const list = await get<{ ids: string[] }>(`${path}/id_list`);
  return { ...data, ids: list.data.ids };
}

/** Reads an entity with its overrides. Uses the older version of the two, so that a conflict is detected. */
export async function withOverrides<E extends Entity & { overrides: object }>(
  path: string,
): Promise<E> {
  const [entity, overrides] = await Promise.all([
    get<E>(path),
    get<E['overrides']>(`${path}/overrides`),
  ]);
  const version = Math.min(entity.version, overrides.version);
  return { ...entity.data, overrides: overrides.data, version };
}
