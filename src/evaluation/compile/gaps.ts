import type { Project, Spec } from '../spec.ts';
import { endless } from './circles.ts';
import { gatesAsked, type Lists, storeGates } from './references.ts';
import { disabled, gateSpec } from './rules.ts';

/** The gates that something in a project asks. */
function allGatesAsked({ gates, configs, layers, paramStores }: Lists): Set<string> {
  const specs = [gates, configs, layers].flatMap((list) => [...list.values()]);
  return new Set([...specs.flatMap(gatesAsked), ...[...paramStores.values()].flatMap(storeGates)]);
}

function absent(name: string): Spec {
  const entity = name.startsWith('segment:') ? 'segment' : 'feature_gate';
  return gateSpec({ name, salt: name, entity, idType: 'userID', version: 1, rules: [] });
}

/**
 * The gates of a project with two things mended, which SDKs do not agree on or break at. Gates that are asked but not
 * there are served disabled; so are gates that ask themselves, or too many one after the other.
 * @param archived gates that are not served, but may be asked
 */
export function mended(
  lists: Lists,
  archived: ReadonlyMap<string, Spec>,
): Pick<Project, 'gates' | 'circles' | 'tooDeep'> {
  const missing = [...allGatesAsked(lists)].filter((name) => !lists.gates.has(name));
  const gates = new Map(lists.gates);
  for (const name of missing) gates.set(name, disabled(archived.get(name) ?? absent(name)));
  const { circles, tooDeep } = endless(gates);
  for (const name of [...circles, ...tooDeep])
    gates.set(name, disabled(gates.get(name) ?? absent(name)));
  return { gates, circles, tooDeep };
}
