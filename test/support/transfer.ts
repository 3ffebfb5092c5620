import { expect } from 'vitest';
import { call, send } from './client.ts';
import { emptyDatabase } from './database.ts';
import { checkInvariants } from './invariants.ts';

export const lineType = { 'Content-Type': 'application/x-ndjson' };

/** Returns the export as JSON lines; calls `meanwhile` after each chunk. */
export async function exportProject(query = '', meanwhile = async () => {}): Promise<string> {
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

/** Imports text, and returns the report. */
export async function importProject(body: string, query = '') {
  const response = await call('POST', `import${query}`, { body, headers: lineType });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.data;
}

/** Checks that the project is equal after its export and import; failures show the label. */
export async function checkTransfer(label: string): Promise<void> {
  const body = await exportProject();
  await emptyDatabase();
  const { refused } = await importProject(body);
  expect(refused, label).toEqual([]);
  expect(await exportProject(), label).toBe(body);
  await checkInvariants();
}
