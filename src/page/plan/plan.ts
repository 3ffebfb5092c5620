// The script of the tab "Plan", loaded when it is opened.
export { Plan } from './plan_tab.tsx';
