import { Refused } from '../problems.ts';
import { withIDs, withOverrides } from '../recipe/load.ts';
import type { DynamicConfig, Gate, Holdout, Rule, Segment } from '../types.ts';
import type { Entities } from './evaluator.ts';

/** What is tried: an entity as it stands on the screen, with what the compiler needs to know which it is. */
export type Tried =
  | { kind: 'gate'; entity: Gate }
  | { kind: 'segment'; entity: Segment }
  | { kind: 'dynamic_config'; entity: DynamicConfig };

/** What rules ask, by the ids that their conditions name. */
interface Surroundings {
  gates: Gate[];
  segments: Segment[];
  holdouts: Holdout[];
  /** Experiments that rules ask for their groups: they stand on more than is read here. */
  unknown: string[];
}

interface Asking {
  rules: Rule[];
  holdoutIDs?: string[];
}

/** The ids that some conditions name. */
const named = (asking: Asking[], types: string[], property: 'targetValue' | 'field') =>
  asking.flatMap(({ rules }) =>
    rules.flatMap(({ conditions }) =>
      conditions
        .filter(({ type }) => types.includes(type))
        .map((condition) => String(condition[property] ?? '')),
    ),
  );

/** What is not there lets nobody pass, as where it is served. */
async function found<T>(read: Promise<T>): Promise<T[]> {
  try {
    return [await read];
  } catch (error) {
    if (error instanceof Refused && error.problem.status === 404) return [];
    throw error;
  }
}

const readGate = (id: string) => found(withOverrides<Gate>(`/gates/${encodeURIComponent(id)}`));

const readHoldout = (id: string) =>
  found(withOverrides<Holdout>(`/holdouts/${encodeURIComponent(id)}`));

const readSegment = (id: string) => found(withIDs(`/segments/${encodeURIComponent(id)}`));

/** Reads each of some ids that is not known yet. */
async function readNew<T extends { id: string }>(
  ids: string[],
  known: Set<string>,
  read: (id: string) => Promise<T[]>,
): Promise<T[]> {
  const fresh = [...new Set(ids)].filter((id) => id !== '' && !known.has(id));
  for (const id of fresh) known.add(id);
  return (await Promise.all(fresh.map(read))).flat();
}

/** Everything that the rules of an entity ask, and what that asks in turn; another kind may have one of the same id. */
export async function readSurroundings({ kind, entity }: Tried): Promise<Surroundings> {
  const all: Surroundings = { gates: [], segments: [], holdouts: [], unknown: [] };
  const ownOf = (one: Tried['kind']) => new Set(kind === one ? [entity.id] : []);
  const known = { gates: ownOf('gate'), segments: ownOf('segment'), holdouts: new Set<string>() };
  let asking: Asking[] = [entity];
  while (asking.length > 0) {
    const holdouts = await readNew(
      asking.flatMap(({ holdoutIDs = [] }) => holdoutIDs),
      known.holdouts,
      readHoldout,
    );
    const targeting = holdouts.map(({ targetingGateID }) => targetingGateID);
    const [gates, segments] = await Promise.all([
      readNew(
        [...named(asking, ['passes_gate', 'fails_gate'], 'targetValue'), ...targeting],
        known.gates,
        readGate,
      ),
      readNew(
        named(asking, ['passes_segment', 'fails_segment'], 'targetValue'),
        known.segments,
        readSegment,
      ),
    ]);
    all.unknown.push(...named(asking, ['experiment_group'], 'field'));
    all.gates.push(...gates);
    all.segments.push(...segments);
    all.holdouts.push(...holdouts);
    asking = [...gates, ...segments];
  }
  return all;
}

/** The surroundings, as the compiler takes them. */
export const entitiesOf = ({ gates, segments, holdouts }: Surroundings): Entities => ({
  gates,
  segments,
  holdouts,
  dynamicConfigs: [],
  experiments: [],
  layers: [],
  autotunes: [],
  paramStores: [],
});
