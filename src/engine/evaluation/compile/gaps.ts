import type { Project, Spec } from '../spec.ts';
import { unevaluableGates } from './cycles.ts';
import { gateDependencies, type SpecLists, storeGates } from './references.ts';
import { disable, gateSpec } from './rules.ts';

function allGateDependencies({ gates, configs, layers, paramStores }: SpecLists): Set<string> {
  const specs = [gates, configs, layers].flatMap((list) => [...list.values()]);
  return new Set([
    ...specs.flatMap(gateDependencies),
    ...[...paramStores.values()].flatMap(storeGates),
  ]);
}

function emptyGate(name: string): Spec {
  const entity = name.startsWith('segment:') ? 'segment' : 'feature_gate';
  return gateSpec({ name, salt: name, entity, idType: 'userID', version: 1, rules: [] });
}

/** Adds missing gates and replaces those in cycles or long chains, all disabled, because SDKs disagree or crash. */
export function fillGaps(
  lists: SpecLists,
  archived: ReadonlyMap<string, Spec>,
): Pick<Project, 'gates' | 'cycles' | 'tooDeep'> {
  const missing = [...allGateDependencies(lists)].filter((name) => !lists.gates.has(name));
  const gates = new Map(lists.gates);
  for (const name of missing) gates.set(name, disable(archived.get(name) ?? emptyGate(name)));
  const { cycles, tooDeep } = unevaluableGates(gates);
  for (const name of [...cycles, ...tooDeep])
    gates.set(name, disable(gates.get(name) ?? emptyGate(name)));
  return { gates, cycles, tooDeep };
}
