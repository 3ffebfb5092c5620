import { Refused } from '../base/problems.ts';
import type { DynamicConfig, Gate, Holdout, Rule, Segment } from '../base/types.ts';
import { withIDs, withOverrides } from '../entity/load.ts';
import type { Entities } from './evaluator.ts';

export type Tried =
  | { kind: 'gate'; entity: Gate }
  | { kind: 'segment'; entity: Segment }
  | { kind: 'dynamic_config'; entity: DynamicConfig };

interface Dependencies {
  gates: Gate[];
  segments: Segment[];
  holdouts: Holdout[];
  unknown: string[];
}

interface RuledEntity {
  rules: Rule[];
  holdoutIDs?: string[];
}

const named = (pending: RuledEntity[], types: string[], property: 'targetValue' | 'field') =>
  pending.flatMap(({ rules }) =>
    rules.flatMap(({ conditions }) =>
      conditions
        .filter(({ type }) => types.includes(type))
        .map((condition) => String(condition[property] ?? '')),
    ),
  );

/** Ignores 404: a missing dependency passes no one, as in production. */
async function unlessMissing<T>(read: Promise<T>): Promise<T[]> {
  try {
    return [await read];
  } catch (error) {
    if (error instanceof Refused && error.problem.status === 404) return [];
    throw error;
  }
}

const dependencyPath = (kind: string, id: string) => `/${kind}s/${encodeURIComponent(id)}`;

async function readNew<T>(
  kind: 'gate' | 'segment' | 'holdout',
  ids: string[],
  known: Set<string>,
  read: (path: string) => Promise<T>,
): Promise<T[]> {
  const paths = new Set(ids.filter(Boolean).map((id) => dependencyPath(kind, id)));
  const fresh = [...paths.difference(known)];
  for (const path of fresh) known.add(path);
  return (await Promise.all(fresh.map((path) => unlessMissing(read(path))))).flat();
}

/** Reads all dependencies of an entity, recursively. */
export async function readDependencies({ kind, entity }: Tried): Promise<Dependencies> {
  const all: Dependencies = { gates: [], segments: [], holdouts: [], unknown: [] };
  const known = new Set([dependencyPath(kind, entity.id)]);
  let pending: RuledEntity[] = [entity];
  while (pending.length > 0) {
    const heldOut = pending.flatMap(({ holdoutIDs = [] }) => holdoutIDs);
    const holdouts = await readNew('holdout', heldOut, known, withOverrides<Holdout>);
    const gateIDs = [
      ...named(pending, ['passes_gate', 'fails_gate'], 'targetValue'),
      ...holdouts.map(({ targetingGateID }) => targetingGateID),
    ];
    const segmentIDs = named(pending, ['passes_segment', 'fails_segment'], 'targetValue');
    const [gates, segments] = await Promise.all([
      readNew('gate', gateIDs, known, withOverrides<Gate>),
      readNew('segment', segmentIDs, known, withIDs),
    ]);
    all.unknown.push(...named(pending, ['experiment_group'], 'field'));
    all.gates.push(...gates);
    all.segments.push(...segments);
    all.holdouts.push(...holdouts);
    pending = [...gates, ...segments];
  }
  return all;
}

/** Returns the compiler's input. */
export const entitiesOf = (
  { gates, segments, holdouts }: Dependencies,
  { kind, entity }: Tried,
): Entities => ({
  gates: kind === 'gate' ? [...gates, entity] : gates,
  segments: kind === 'segment' ? [...segments, entity] : segments,
  holdouts,
  dynamicConfigs: kind === 'dynamic_config' ? [entity] : [],
  experiments: [],
  layers: [],
  autotunes: [],
  paramStores: [],
});
