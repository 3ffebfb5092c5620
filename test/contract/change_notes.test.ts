import { expect, test } from 'vitest';
import { call, ok } from '../support/client.ts';
import { makeGate, unique } from '../support/factories.ts';

/** Changes a gate with a note, and answers its newest revision. */
async function changed(note: string, path: string, body: object = { description: unique('text') }) {
  const headers = { 'Change-Note': note };
  const { status, body: answer } = await call('PATCH', path, { body, headers });
  expect(status, JSON.stringify(answer)).toBe(200);
  const [revision] = await ok('GET', `${path}/versions?limit=1`);
  return revision;
}

test('the history has the note of a change, and the name at that time', async () => {
  const gate = await makeGate();
  const path = `gates/${gate.id}`;
  expect(await changed('Before the sale.', path)).toMatchObject({ note: 'Before the sale.' });
  expect((await changed('F%C3%BCr alle – 50 % reicht'.replace('–', '%E2%80%93'), path)).note).toBe(
    'Für alle – 50 % reicht',
  );
  expect((await changed('All %FF of it', path)).note).toBe('All %FF of it');
  const renamed = await changed('%20', path, { name: 'Another name' });
  expect(renamed).toMatchObject({ note: null, name: 'Another name', version: 5 });
  const [logged, before] = await ok('GET', `audit_logs?id=${gate.id}`);
  expect([logged.name, before.name, before.note]).toEqual([
    'Another name',
    gate.name,
    'All %FF of it',
  ]);
  expect((await ok('GET', `${path}/versions/2`)).note).toBe('Before the sale.');
});

test('many changes as one share their note', async () => {
  const gates = [await makeGate(), await makeGate()];
  const changes = gates.map(({ id }) => ({
    method: 'PUT',
    path: `/console/v1/gates/${id}/disable`,
  }));
  await call('POST', 'changes', { body: { changes }, headers: { 'Change-Note': 'A rest.' } });
  for (const { id } of gates)
    expect(await ok('GET', `gates/${id}/versions/2`)).toMatchObject({
      action: 'disable',
      note: 'A rest.',
    });
});

test('a note of more than 500 characters, with control characters, or not in UTF-8, is refused, also by a dry run', async () => {
  const { id } = await makeGate();
  const longest = 'x'.repeat(500);
  expect(await changed(longest, `gates/${id}`)).toMatchObject({ note: longest });
  const mountains = '🗻'.repeat(500);
  const told = await changed(encodeURIComponent(mountains), `gates/${id}`);
  expect(told).toMatchObject({ note: mountains });
  const refused: [string, string][] = [
    ['x'.repeat(501), 'must have at most 500 characters'],
    ['a%00b%0Ac', 'must not contain control characters'],
    ['sch%EF%BF%BDn', 'must be sent as UTF-8, or percent-encoded'],
  ];
  for (const [note, errorMessage] of refused)
    for (const query of ['', '?dryRun=true']) {
      const headers = { 'Change-Note': note };
      const { status, body } = await call('PUT', `gates/${id}/disable${query}`, { headers });
      expect([status, body.errors]).toEqual([400, [{ property: 'Change-Note', errorMessage }]]);
    }
});
