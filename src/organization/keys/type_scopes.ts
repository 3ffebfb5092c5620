// Separate from the keys, so that the console can import it.
import type { Scope } from '../../platform/env.ts';
import type { KeyType } from './schema.ts';

export const scopesOf: Record<KeyType, { most: Scope[]; least: Scope[] }> = {
  CONSOLE: { most: ['read', 'write', 'admin'], least: [] },
  SERVER: { most: ['evaluate', 'specs'], least: ['evaluate', 'specs'] },
  CLIENT: { most: ['evaluate', 'specs'], least: ['evaluate'] },
};
