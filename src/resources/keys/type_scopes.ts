// Separate from the keys, so that the console can import it.
import type { Scope } from '../../env.ts';
import type { KeyType } from './schema.ts';

/** The scopes that keys of each type may have, and those they must have, which are the default. */
export const scopesOf: Record<KeyType, { most: Scope[]; least: Scope[] }> = {
  CONSOLE: { most: ['read', 'write', 'admin'], least: [] },
  SERVER: { most: ['evaluate', 'specs'], least: ['evaluate', 'specs'] },
  CLIENT: { most: ['evaluate', 'specs'], least: ['evaluate'] },
};
