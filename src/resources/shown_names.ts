import type * as z from 'zod';
import { shownBy } from '../operations/shown.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Draft } from '../store/core/transaction.ts';
import type { Names } from '../store/lists/name_usage.ts';
import { kindsOf, type Resource } from './resource.ts';

/** Returns a kind of names as a resource, used by those of the registry; `draft` registers a used name. */
export const shownNames = <S extends z.ZodObject, E extends Entity & z.output<S>>(
  registry: readonly Resource[],
  kind: Names<E>,
  { response, used }: { response: S; used: z.ZodType },
  draft: (name: string) => Draft<E>,
) => ({ ...shownBy(kind, response), used, kinds: kindsOf(registry), draft });
