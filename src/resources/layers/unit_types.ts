import type * as z from 'zod';
import type { Reads } from '../../store/core/reads.ts';
import { experiments } from '../experiments/table.ts';
import type { overridesRequest } from './schema.ts';

type Body = z.infer<typeof overridesRequest>;

/** Overrides of a layer in which each unit is of a type: of that of its experiment, where none is said. */
export async function withUnitTypes(tx: Reads, body: Body): Promise<Body> {
  const { idOverrides = [] } = body;
  const untyped = idOverrides.filter(({ idType }) => idType === '');
  if (untyped.length === 0) return body;
  const names = new Set(untyped.map(({ experimentName }) => experimentName));
  const named = await tx.findMany(experiments, [...names]);
  const types = new Map(named.map(({ id, idType }) => [id, idType]));
  // An experiment that is not there has none, and is refused as it is stored.
  const typed = idOverrides.map(({ idType, ...entry }) => ({
    ...entry,
    idType: idType || (types.get(entry.experimentName) ?? ''),
  }));
  return { ...body, idOverrides: typed };
}
