import { expect } from 'vitest';
import { call, send, textOf } from './client.ts';
import { emptyDatabase } from './database.ts';
import { checkInvariants } from './invariants.ts';

/** The project as JSON lines. */
const exported = async () => textOf(await send('GET', 'export'));

/** Whatever state the project has come to, it is the same in another database; a failure shows what is told. */
export async function checkTransfer(told: string): Promise<void> {
  const body = await exported();
  await emptyDatabase();
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const { data } = await call('POST', 'import', { body, headers });
  expect(data.refused, told).toEqual([]);
  expect(await exported(), told).toBe(body);
  await checkInvariants();
}
