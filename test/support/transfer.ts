import { expect } from 'vitest';
import { call, send } from './client.ts';
import { emptyDatabase } from './database.ts';
import { checkInvariants } from './invariants.ts';

/** The project as JSON lines; workerd warns of the text of a type that it does not know for one. */
const exported = async () =>
  new TextDecoder().decode(await (await send('GET', 'export')).arrayBuffer());

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
