// The scripts of results other than those of experiments, loaded when their tab is opened.
export { AutotuneResults } from './autotune_results.tsx';
export { GateResults } from './gate_results.tsx';
export { HoldoutResults } from './holdout_results.tsx';
