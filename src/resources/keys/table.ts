import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import type { Key } from './schema.ts';

export const keyTable = entityTable('keys', { hash: textField('hash.value') }, ['hash']);

export const keys = collection<Key>({ kind: 'key', title: 'API key', table: keyTable });
