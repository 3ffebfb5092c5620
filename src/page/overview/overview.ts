export { loadByUrgency } from '../urgency/load.ts';
export { ExperimentRows } from '../urgency/rows.tsx';
export { Home } from './home.tsx';
export { Snippet } from './snippet.tsx';
