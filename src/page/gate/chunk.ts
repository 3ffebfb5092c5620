export { GateFacts } from './facts.tsx';
export { GateRules } from './gate_rules.tsx';
