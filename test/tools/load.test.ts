import { expect, test } from 'vitest';
import { launch } from '../support/local_server.ts';

test('a server under load returns no errors, loses no changes, and its memory does not grow', async () => {
  const load = launch(process.execPath, ['bench/load.js', '--seconds', '3']);
  expect(await load.closed, load.output()).toBe(0);
  expect(load.output()).toContain('Passed.');
  expect(load.output()).toContain('changes lost: 0 of versions, 0 of the audit log');
  expect(load.output()).not.toContain('; 0 changes stored');
});
