export { AuditLog } from './audit.tsx';
export { ChangeSet } from './changes.tsx';
export { Connections } from './connections.tsx';
export { Events } from './events.tsx';
export { Settings } from './settings.tsx';
