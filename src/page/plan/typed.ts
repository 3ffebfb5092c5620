import { isObject } from '../../base/value_types.ts';
import { readJSON } from '../base/json_text.ts';
import { useStored } from '../base/use.ts';
import type { Baseline } from './power.ts';

export interface TypedNumbers {
  unitsPerDay?: unknown;
  baselines?: Record<string, Baseline>;
}

const isTyped = (value: unknown): value is TypedNumbers => isObject(value);

/** Returns the typed inputs for an experiment, and a function that edits them. */
export function useTypedPlan(experimentID: string): [TypedNumbers, (edits: TypedNumbers) => void] {
  const [text, setText] = useStored(`plan of ${experimentID}`, '{}');
  const parsed = readJSON(text);
  const typed = isTyped(parsed) ? parsed : {};
  return [typed, (edits) => setText(JSON.stringify({ ...typed, ...edits }))];
}
