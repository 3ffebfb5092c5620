// The script of results, loaded when a tab "Results" is opened.
export { Results } from './results.tsx';
