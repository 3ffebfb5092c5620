export { DesignHealth } from '../../experiment/health.tsx';
export { WhereItBegan } from './began.tsx';
export { Decided } from './frozen.tsx';
