export { AutotuneResults } from './autotune_results.tsx';
export { GateResults } from './gate_results.tsx';
export { HoldoutResults } from './holdout_results.tsx';
