// The script of the pages of gates, loaded when one is opened.
export { GateFacts } from './facts.tsx';
export { GateRules } from './gate_rules.tsx';
