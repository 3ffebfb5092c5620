import type * as z from 'zod';
import { resourceOf } from '../operations/resource.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import type { Draft } from '../store/core/transaction.ts';
import type { Names } from '../store/lists/name_usage.ts';
import { kinds } from './kinds.ts';

/** Returns a kind of names as a resource; `draft` registers a used name. */
export const nameResource = <S extends z.ZodObject, E extends Entity & z.output<S>>(
  kind: HookedKind<E> & Names<E>,
  { response, used }: { response: S; used: z.ZodType },
  draft: (name: string) => Draft<E>,
) => ({ ...resourceOf(kind, response), used, kinds, draft });
