import type * as z from 'zod';
import { shownBy } from '../operations/shown.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Draft } from '../store/core/transaction.ts';
import type { Names } from '../store/lists/name_usage.ts';
import { kinds } from './kinds.ts';

/**
 * How names that entities of any kind may say are answered.
 * @param schemas of one as it is registered, and in lists, be it registered or only used
 * @param draft what is registered of a name that is only used, before anything is said of it
 */
export const shownNames = <S extends z.ZodObject, E extends Entity & z.output<S>>(
  kind: Names<E>,
  { response, used }: { response: S; used: z.ZodType },
  draft: (name: string) => Draft<E>,
) => ({ ...shownBy(kind, response), used, kinds, draft });
