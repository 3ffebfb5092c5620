export { ExperimentRows } from './experiment_rows.tsx';
export { Home } from './home.tsx';
export { loadByUrgency } from './load.ts';
export { Snippet } from './snippet.tsx';
