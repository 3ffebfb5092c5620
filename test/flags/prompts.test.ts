import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import { makePrompt, unique } from '../support/factories.ts';

const full = {
  id: 'full_prompt',
  name: '  Größe „XL“ 測試  ',
  description: 'x'.repeat(1000),
  idType: 'companyID',
  targetApps: ['ios', 'web'],
  holdoutIDs: [],
  tags: ['a', 'b'],
  team: 'Support',
  teamID: 't1',
  creatorID: 'someone',
  creatorEmail: 'someone@shop.example',
};

describe('a prompt', () => {
  test('reads back with every value it was created with', async () => {
    await ok('POST', 'prompts', full);
    const read = await ok('GET', 'prompts/full_prompt');
    expect(read).toMatchObject({ ...full, name: 'Größe „XL“ 測試', version: 1 });
  });

  test('gets what the body leaves out', async () => {
    const name = unique('Plain prompt');
    expect(await makePrompt({ name })).toMatchObject({
      id: name.toLowerCase().replaceAll(' ', '_'),
      description: '',
      idType: 'userID',
      targetApps: [],
      holdoutIDs: [],
      tags: [],
      team: '',
      teamID: '',
      creatorID: 'root',
      creatorName: 'CONSOLE API',
      lastModifierID: 'root',
    });
  });

  test('needs a name, and an id that is free', async () => {
    expect(await invalidPropertiesOf('POST', 'prompts', {})).toEqual(['name']);
    const { name } = await makePrompt();
    expect((await call('POST', 'prompts', { body: { name } })).status).toBe(409);
  });

  test.each([
    ['name', 'xx', 'xxx'],
    ['name', 'x'.repeat(101), '𝔸'.repeat(100)],
    ['description', 'x'.repeat(1001), '𝔸'.repeat(1000)],
    ['tags', 'one', ['one']],
  ])('has bounds: %s', async (property, past, on) => {
    const { id } = await makePrompt();
    const [at] = await invalidPropertiesOf('PATCH', `prompts/${id}`, { [property]: past });
    expect(at?.split('.')[0]).toBe(property);
    expect(await ok('PATCH', `prompts/${id}`, { [property]: on })).toMatchObject({
      [property]: on,
    });
  });

  test('keeps what a partial update leaves out, and clears by null only what can be empty', async () => {
    const { id } = await makePrompt({ tags: ['a'], team: 'A', teamID: 't1' });
    const updated = await ok('PATCH', `prompts/${id}`, { team: null });
    expect(updated).toMatchObject({ team: '', teamID: 't1', tags: ['a'], version: 2 });
    expect(await invalidPropertiesOf('PATCH', `prompts/${id}`, { description: null })).toEqual([
      'description',
    ]);
  });

  test('comes back when a version is restored after its removal', async () => {
    const { id } = await makePrompt({ description: 'First.' });
    await ok('PATCH', `prompts/${id}`, { description: 'Second.' });
    expect((await call('DELETE', `prompts/${id}`)).status).toBe(200);
    expect((await call('GET', `prompts/${id}`)).status).toBe(404);
    const restored = await ok('PUT', `prompts/${id}/versions/1/restore`);
    expect(restored).toMatchObject({ description: 'First.', version: 4 });
  });

  test('is listed by its tags, target app, team and creator', async () => {
    const [tag, app, teamID] = [unique('tag'), unique('app'), unique('team')];
    const creatorID = unique('creator');
    const { id } = await makePrompt({ tags: [tag], targetApps: app, teamID, creatorID });
    await makePrompt();
    for (const filter of [
      `tags=${tag}`,
      `targetAppID=${app}`,
      `teamID=${teamID}`,
      `creatorID=${creatorID}`,
    ]) {
      const found = await ok('GET', `prompts?${encodeURI(filter)}`);
      expect(found.map((prompt: { id: string }) => prompt.id)).toEqual([id]);
    }
  });
});
