import { expect } from 'vitest';
import { call, send, textOf } from './client.ts';
import { emptyDatabase } from './database.ts';
import { checkInvariants } from './invariants.ts';

export const lineType = { 'Content-Type': 'application/x-ndjson' };

/** The project as JSON lines. */
export async function exported(query = ''): Promise<string> {
  const answer = await send('GET', `export${query}`);
  expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson');
  return textOf(answer);
}

/** Imports text, and answers the report. */
export async function imported(body: string, query = '') {
  const answer = await call('POST', `import${query}`, { body, headers: lineType });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.data;
}

/** Whatever state the project has come to, it is the same in another database; a failure shows what is told. */
export async function checkTransfer(told: string): Promise<void> {
  const body = await exported();
  await emptyDatabase();
  const { refused } = await imported(body);
  expect(refused, told).toEqual([]);
  expect(await exported(), told).toBe(body);
  await checkInvariants();
}
