// Separate from the keys, so that the console can import it.
import type { Scope } from '../../env.ts';
import type { KeyType } from './schema.ts';

/** The scopes that keys of each type may have, and those they must have, which are the default. */
export const scopesOf: Record<KeyType, { allowed: Scope[]; required: Scope[] }> = {
  CONSOLE: { allowed: ['read', 'write', 'admin'], required: [] },
  SERVER: { allowed: ['evaluate', 'specs'], required: ['evaluate', 'specs'] },
  CLIENT: { allowed: ['evaluate', 'specs'], required: ['evaluate'] },
};
