// The script of the pages that belong to no resource, loaded when one of them is opened.
export { AuditLog } from './audit.tsx';
export { ChangeSet } from './changes.tsx';
export { Connections } from './connections.tsx';
export { Events } from './events.tsx';
export { Settings } from './settings.tsx';
