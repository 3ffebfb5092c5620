import type * as z from 'zod';
import type { Reads } from '../../platform/store/core/reads.ts';
import { experiments } from '../experiments/table.ts';
import type { overridesRequest } from './schema.ts';

type Body = z.infer<typeof overridesRequest>;

/** Fills in missing ID types with the ID type of the experiment. */
export async function withUnitTypes(tx: Reads, body: Body): Promise<Body> {
  const { idOverrides = [] } = body;
  const untyped = idOverrides.filter(({ idType }) => idType === '');
  if (untyped.length === 0) return body;
  const names = new Set(untyped.map(({ experimentName }) => experimentName));
  const named = await tx.findMany(experiments, [...names]);
  const types = new Map(named.map(({ id, idType }) => [id, idType]));
  // A missing experiment fails later, by its reference.
  const typed = idOverrides.map(({ idType, ...entry }) => ({
    ...entry,
    idType: idType || (types.get(entry.experimentName) ?? ''),
  }));
  return { ...body, idOverrides: typed };
}
