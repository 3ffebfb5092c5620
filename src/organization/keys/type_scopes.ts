// Separate from the keys, so that the console can import it.
import type { KeyScope } from '../../platform/env.ts';
import type { KeyType } from './schema.ts';

export const scopesOf: Record<KeyType, { most: KeyScope[]; least: KeyScope[] }> = {
  CONSOLE: { most: ['read', 'write', 'admin'], least: [] },
  SERVER: { most: ['evaluate', 'specs'], least: ['evaluate', 'specs'] },
  CLIENT: { most: ['evaluate', 'specs'], least: ['evaluate'] },
};
