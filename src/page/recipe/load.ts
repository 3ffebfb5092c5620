import { type Answer, get } from '../api.ts';
import type { Entity, Segment } from '../types.ts';
import { type Kind, ownPathOf } from './kind.ts';

/** The id of what was answered; some kinds are known by their name alone. */
export function identityOf(data: unknown): string {
  const { id, name = '' }: Partial<Entity> = Object(data);
  return id ?? name;
}

/** What the page has beyond what was answered: an id, be it that of its kind, and version 0 for what is not stored yet. */
const identified = <E extends Entity>(entity: E, kind = ''): E => ({
  ...entity,
  id: identityOf(entity) || kind,
  version: entity.version ?? 0,
});

/** Reads a page of a list. */
export async function loadList(path: string): Promise<Answer<Entity[]>> {
  const answer = await get<Entity[]>(path);
  return { ...answer, data: answer.data.map((entity) => identified(entity)) };
}

/** What an entity is known by among all that was read. */
export const entityRead = (kind: Pick<Kind, 'path' | 'apiPath' | 'isSingle'>, id: string) =>
  `entity ${ownPathOf(kind, id)}`;

/** Reads an entity, with the parts that have a path of their own where the kind says how. */
export async function loadEntity<E extends Entity>(kind: Kind<E>, id: string): Promise<E> {
  const path = ownPathOf(kind, id);
  return kind.load ? kind.load(path) : identified((await get<E>(path)).data, kind.path);
}

/** Reads a segment and the ids that it lists; one that goes by rules has none. */
export async function withIDs(path: string): Promise<Segment> {
  const { data } = await get<Segment>(path);
  if (data.type !== 'id_list') return { ...data, ids: [] };
  const list = await get<{ ids: string[] }>(`${path}/id_list`);
  return { ...data, ids: list.data.ids };
}

/** Reads an entity and its overrides; the version is that of the older answer, so that none is overwritten unseen. */
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
