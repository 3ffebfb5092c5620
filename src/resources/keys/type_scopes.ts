// Apart from the keys themselves, so that the page has it too.
import type { Scope } from '../../env.ts';
import type { KeyType } from './schema.ts';

/** What keys of each type may be given, and must be, which they get where nothing is said. */
export const scopesOf: Record<KeyType, { most: Scope[]; least: Scope[] }> = {
  CONSOLE: { most: ['read', 'write', 'admin'], least: [] },
  SERVER: { most: ['evaluate', 'specs'], least: ['evaluate', 'specs'] },
  CLIENT: { most: ['evaluate', 'specs'], least: ['evaluate'] },
};
