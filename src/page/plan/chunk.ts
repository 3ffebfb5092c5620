export { Plan } from './plan_tab.tsx';
