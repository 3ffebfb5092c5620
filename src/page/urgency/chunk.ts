export { loadByUrgency } from './load.ts';
export { ExperimentRows } from './rows.tsx';
