import { type Described, defineKind } from '../platform/store/core/define_kind.ts';
import type { Entity } from '../platform/store/core/entity.ts';
import type { NameKind } from '../platform/store/core/name_fields.ts';
import { model } from './model.ts';

/** Defines a kind of entity, with defaults for its optional members. */
export const kind = <E extends Entity>(described: Described<E>) => defineKind(model, described);

/** Defines a kind whose entities are names that other entities mention. */
export const nameKind = <E extends Entity>(described: Described<E> & { kind: NameKind }) => ({
  ...kind<E>(described),
  kind: described.kind,
});
