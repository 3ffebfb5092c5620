import { expect } from 'vitest';
import { call, send } from './client.ts';
import { emptyDatabase } from './database.ts';
import { checkInvariants } from './invariants.ts';

export const lineType = { 'Content-Type': 'application/x-ndjson' };

/** The project as JSON lines; `meanwhile` is done after each part of them that is read. */
export async function exported(query = '', meanwhile = async () => {}): Promise<string> {
  const { headers, body } = await send('GET', `export${query}`);
  expect(headers.get('Content-Type')).toBe('application/x-ndjson');
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true });
    await meanwhile();
  }
  return text;
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
