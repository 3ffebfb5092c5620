import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Condition } from '../support/bodies.ts';
import { call, costOf, invalidPropertiesOf, ok, send } from '../support/client.ts';
import {
  everyone,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeHoldout,
  makePipeline,
  makeSegment,
  passing,
  unique,
} from '../support/factories.ts';

/** Longer than the 10,000 characters in which a condition searches. */
const far = 'a'.repeat(10_001);

const rule = (condition: Condition) => ({
  name: 'Rule',
  passPercentage: 50,
  conditions: [condition],
});

describe('a gate', () => {
  test('reads back with every value it was created with', async () => {
    const body = {
      id: 'full_gate',
      name: '  Größe „XL“ 測試  ',
      isEnabled: false,
      description: 'x'.repeat(1000),
      rules: [{ ...rule({ type: 'public' }), id: 'r1', baseID: 'b1', environments: ['staging'] }],
      tags: ['a', 'b'],
      type: 'TEMPORARY',
      idType: 'companyID',
      targetApps: 'ios',
      creatorID: 'someone',
      creatorEmail: 'someone@shop.example',
      team: 'Checkout',
      teamID: 't1',
      measureMetricLifts: true,
      monitoringMetrics: [{ name: 'orders', type: 'sum' }],
      reviewSettings: { requiredReview: true, allowedReviewers: ['a'] },
    };
    await ok('POST', 'gates', body);
    const gate = await ok('GET', 'gates/full_gate');
    const expected = { ...body, name: 'Größe „XL“ 測試', targetApps: ['ios'], status: 'Disabled' };
    expect(gate).toMatchObject(expected);
  });

  test('gets defaults for absent properties', async () => {
    const name = unique('Plain gate');
    expect(await makeGate({ name })).toMatchObject({
      id: name.toLowerCase().replaceAll(' ', '_'),
      description: '',
      idType: 'userID',
      status: 'In Progress',
      isEnabled: true,
      type: 'PERMANENT',
      typeReason: 'NONE',
      checksPerHour: 0,
      creatorID: 'root',
      creatorName: 'CONSOLE API',
      owner: { ownerID: 'root', ownerType: 'SDK_KEY' },
      version: 1,
    });
  });

  test('gets a random id if its name has too few usable characters', async () => {
    for (const name of ['測試測試', 'a / b']) {
      const { id } = await makeGate({ name });
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('gets an id of 100 characters if its lower-case name is longer', async () => {
    const { id } = await makeGate({ name: 'İ'.repeat(100) });
    expect(id).toBe('i_'.repeat(50));
  });

  test('is refused with a taken id or a path as its id', async () => {
    const { name } = await makeGate();
    const taken = await call('POST', 'gates', { body: { name } });
    expect([taken.status, taken.body.message]).toEqual([409, 'Name is already in use']);
    expect(await invalidPropertiesOf('POST', 'gates', { name: 'Values', id: 'values' })).toEqual([
      'id',
    ]);
    expect(await invalidPropertiesOf('POST', 'gates', { name: 'Values' })).toEqual(['name']);
  });

  test.each([
    ['name', 'xx', 'xxx'],
    ['name', 'x'.repeat(101), '𝔸'.repeat(100)],
    ['name', 'two\nlines', 'two words'],
    ['name', '\u200b\u200c\u200d\u2060', 'a\u200bb'],
    ['name', '\u0301\u0302\u0303', 'e\u0301e'],
    ['name', '\u3164\u3164\u3164', '한국어'],
    ['name', '\u2800\u2800\u2800', '⠓⠊⠖'],
    ['name', '\u{e0041}\u{fe0f}\u{ad}', '🏳️‍🌈!!'],
    ['name', '\ue000\u{f0000}\u{10fffd}', 'a\ue000b'],
    ['name', '\ufffe\uffff\u{1fffe}', 'a\uffffb'],
    ['name', '\u0378\u{e0080}\u{1d159}', 'abc'],
    ['tags', ['\u200b'], ['a\u200bb'], 'tags.0'],
    ['tags', ['\ue000'], ['\ue000b'], 'tags.0'],
    ['description', 'x'.repeat(1001), '𝔸'.repeat(1000)],
    ['isEnabled', 'true', true],
    ['type', 'STALE', 'TEMPORARY'],
    ['tags', 'one', ['one']],
  ])('has bounds: %s', async (property, past, on, at = property) => {
    const { id } = await makeGate();
    expect(await invalidPropertiesOf('PATCH', `gates/${id}`, { [property]: past })).toEqual([at]);
    await ok('PATCH', `gates/${id}`, { [property]: on });
  });

  test('keeps absent properties of a partial update and clears null ones', async () => {
    const { id } = await makeGate({ team: 'Checkout', tags: ['a'], targetApps: ['ios'] });
    const gate = await ok('PATCH', `gates/${id}`, { team: null, targetApps: null });
    expect(gate).toMatchObject({ team: null, tags: ['a'], targetApps: [], version: 2 });
    expect(await invalidPropertiesOf('PATCH', `gates/${id}`, { tags: null })).toEqual(['tags']);
  });

  test('gets no new version from a change without effect', async () => {
    const { id } = await makeGate({ tags: ['a'] });
    const same = { tags: ['a'], unknown: 1 };
    expect(await ok('PATCH', `gates/${id}`, same)).toMatchObject({ version: 1 });
    expect(await ok('PATCH', `gates/${id}`, {})).toMatchObject({ version: 1 });
    expect(await ok('GET', `gates/${id}/versions`)).toHaveLength(1);
  });

  test('refuses an update of unknown fields only, and names them', async () => {
    const { id } = await makeGate();
    expect(await invalidPropertiesOf('PATCH', `gates/${id}`, { nam: 'X', tag: [] })).toEqual([
      'nam',
      'tag',
    ]);
  });
});

describe('rules of a gate with conditions', () => {
  test.each([
    [{ type: 'public' }],
    [{ type: 'user_id', operator: 'any', targetValue: ['a', 1] }],
    [{ type: 'unit_id', customID: 'companyID', operator: 'is_null' }],
    [{ type: 'email', operator: 'str_matches', targetValue: '^a+@b$' }],
    [{ type: 'custom_field', field: 'plan', operator: 'gte', targetValue: 3 }],
    [{ type: 'custom_field', field: 'tags', operator: 'array_contains_all', targetValue: ['a'] }],
    [{ type: 'app_version', operator: 'version_gt', targetValue: '1.2.3' }],
    [{ type: 'time', operator: 'before', targetValue: 1767225600000 }],
    [{ type: 'ip_address', operator: 'any', targetValue: ['203.0.113.7', '2001:DB8::0:1'] }],
    [{ type: 'ip_address', operator: 'none', targetValue: '::ffff:203.0.113.7' }],
    [{ type: 'country', operator: 'none', targetValue: [] }],
  ])('take the condition %j', async (condition) => {
    const { rules } = await makeGate({ rules: [rule(condition)] });
    expect(rules[0].conditions).toEqual([condition]);
  });

  test('accept a list of one value instead of the value', async () => {
    const { id } = await makeGate();
    const conditions = [
      { type: 'passes_gate', targetValue: id },
      { type: 'app_version', operator: 'version_gt', targetValue: '1.2.3' },
    ];
    const listed = conditions.map((one) => ({ ...one, targetValue: [one.targetValue] }));
    const { rules } = await makeGate({ rules: [{ ...everyone, conditions: listed }] });
    expect(rules[0].conditions).toEqual(conditions);
  });

  test.each([
    ['type', { type: 'weather' }],
    ['operator', { type: 'public', operator: 'any' }],
    ['operator', { type: 'email', targetValue: 'a' }],
    ['operator', { type: 'country', operator: 'gt', targetValue: 1 }],
    ['targetValue', { type: 'custom_field', field: 'age', operator: 'gt', targetValue: ' ' }],
    ['targetValue', { type: 'custom_field', field: 'age', operator: 'gt', targetValue: '0x10' }],
    ['customID', { type: 'unit_id', operator: 'any', targetValue: 'a' }],
    ['field', { type: 'custom_field', operator: 'any', targetValue: 'a' }],
    ['targetValue', { type: 'email', operator: 'str_matches', targetValue: '(' }],
    ['targetValue', { type: 'custom_field', field: 'a', operator: 'lt', targetValue: 'x' }],
    ['targetValue', { type: 'os_version', operator: 'version_lt', targetValue: 'new' }],
    ['targetValue', { type: 'os_version', operator: 'version_lt', targetValue: '1.' }],
    ['targetValue', { type: 'time', operator: 'after', targetValue: 'noon' }],
    ['targetValue', { type: 'ip_address', operator: 'any' }],
    ['targetValue', { type: 'ip_address', operator: 'any', targetValue: '10.0.0.0/8' }],
    ['targetValue', { type: 'ip_address', operator: 'none', targetValue: 'fe80::1%eth0' }],
    ['targetValue.1', { type: 'ip_address', operator: 'any', targetValue: ['::1', 'office'] }],
    ['targetValue.0', { type: 'ip_address', operator: 'any', targetValue: [167_772_161] }],
    ['targetValue', { type: 'country', operator: 'any', targetValue: [] }],
    ['targetValue', { type: 'email', operator: 'str_contains_any', targetValue: [] }],
    ['targetValue.1', { type: 'url', operator: 'str_contains_any', targetValue: ['a', far] }],
    [
      'targetValue',
      { type: 'custom_field', field: 'a', operator: 'array_contains_any', targetValue: [] },
    ],
    ['targetValue', { type: 'os_version', operator: 'version_lt', targetValue: '1'.repeat(1000) }],
    ['targetValue', { type: 'time', operator: 'after', targetValue: 8.65e15 }],
    ['targetValue', { type: 'time', operator: 'before', targetValue: '-1e13' }],
  ])('refuse a wrong %s: %j', async (property, condition) => {
    const found = await invalidPropertiesOf('POST', 'gates', {
      name: 'Gate',
      rules: [rule(condition)],
    });
    expect(found).toEqual([`rules.0.conditions.0.${property}`]);
  });

  test('that can never match can still be read, kept and removed if stored', async () => {
    const good = { type: 'country', operator: 'any', targetValue: ['AT'] };
    const { id, rules } = await makeGate({ rules: [rule(good)] });
    const range = { type: 'ip_address', operator: 'any', targetValue: '10.0.0.0/8' };
    const stored = JSON.stringify([{ ...rules[0], conditions: [range] }]);
    await env.DB.prepare('update gates set rules = ? where id = ?').bind(stored, id).run();
    // The contract does not cover this response, so the test reads it without checks.
    const read = async () => {
      const response = await send('GET', `gates/${id}`);
      const { data } = await response.json<{ data: { rules: { conditions: object[] }[] } }>();
      return data.rules;
    };
    expect((await read())[0]?.conditions).toEqual([range]);
    await send('PATCH', `gates/${id}`, { body: { description: 'Of the office' } });
    await send('POST', `gates/${id}/rules`, { body: { ...everyone, name: 'Another' } });
    expect(await read()).toMatchObject([{ conditions: [range] }, { name: 'Another' }]);
    const left = await ok('DELETE', `gates/${id}/rules/${rules[0].id}`);
    expect(left.rules).toMatchObject([{ name: 'Another' }]);
  });

  test('must refer to existing gates and experiments', async () => {
    const property = 'rules.0.conditions.0.targetValue';
    expect(
      await invalidPropertiesOf('POST', 'gates', { name: 'Gate', rules: [passing('nobody')] }),
    ).toEqual([property]);
    const group = {
      type: 'experiment_group',
      field: 'nothing',
      operator: 'any',
      targetValue: ['Test'],
    };
    expect(
      await invalidPropertiesOf('POST', 'gates', { name: 'Gate', rules: [rule(group)] }),
    ).toEqual(['rules.0.conditions.0.field']);
    const { id } = await makeExperiment();
    await makeGate({ rules: [rule({ ...group, field: id })] });
  });
});

describe('the rules of a gate', () => {
  test('have a pass percentage in steps of 0.01, from 0 to 100: each of the 10,001', async () => {
    const { id } = await makeGate();
    const path = `gates/${id}?dryRun=true`;
    for (let from = 0; from <= 10_000; from += 500) {
      const steps = Array.from({ length: Math.min(500, 10_001 - from) }, (_, n) => from + n);
      const shares = steps.map((step) => step / 100);
      const given = shares.map((share, n) => ({ name: `${n}`, passPercentage: share }));
      const sent = await ok('PATCH', path, {
        rules: given.map((one) => ({ ...one, conditions: [] })),
      });
      const stored = sent.rules.map((one: { passPercentage: number }) => one.passPercentage);
      expect(stored).toEqual(shares);
    }
  });

  test('have a pass percentage in steps of 0.01, in any notation of the number', async () => {
    const { id } = await makeGate();
    const send = (number: string) =>
      call('PATCH', `gates/${id}`, {
        body: `{"rules":[{"name":"Rule","passPercentage":${number},"conditions":[]}]}`,
      });
    const accepted = {
      '1e-2': 0.01,
      '0.30000000000000004': 0.3,
      '28.999999999999996': 29,
      '1.0E1': 10,
      '100.0000000001': 100,
      '-0.0000000001': 0,
    };
    for (const [number, step] of Object.entries(accepted))
      expect([number, (await send(number)).data.rules[0].passPercentage]).toEqual([number, step]);
    for (const number of ['0.005', '-0.01', '100.01', '0.0100001', '33.333', '"1"', '1e999'])
      expect([number, (await send(number)).body.errors?.[0].property]).toEqual([
        number,
        'rules.0.passPercentage',
      ]);
  });

  test('have different ids, and keep given ids', async () => {
    const named = (name: string, id?: string) => ({ ...everyone, name, id });
    const twice = [named('One', 'same'), named('Two', 'same')];
    expect(await invalidPropertiesOf('POST', 'gates', { name: 'Gate', rules: twice })).toEqual([
      'rules.1.id',
    ]);
    const { id, rules } = await makeGate({ rules: [{ ...named('One', 'own'), baseID: 'base' }] });
    const path = `gates/${id}`;
    expect(await invalidPropertiesOf('PATCH', path, { rules: twice })).toEqual(['rules.1.id']);
    const taken = await ok('PATCH', path, { rules: [named('One'), named('Two', 'own')] });
    expect(taken.rules[1]).toMatchObject({ id: 'own', baseID: 'base' });
    expect(taken.rules[0].id).not.toBe(rules[0].id);
  });

  test('have a name with visible characters', async () => {
    for (const name of ['\u200b\u2060', '\u0301', '\u3164', '\u2800', '\ue000', '\uffff'])
      expect(
        await invalidPropertiesOf('POST', 'gates', {
          name: 'Gate',
          rules: [{ ...everyone, name }],
        }),
      ).toEqual(['rules.0.name']);
  });

  test('have different names, and keep their ids in updates', async () => {
    const twice = [everyone, { ...everyone, passPercentage: 1 }];
    expect(await invalidPropertiesOf('POST', 'gates', { name: 'Gate', rules: twice })).toEqual([
      'rules.1.name',
    ]);
    const salted = { ...everyone, salt: 'brought along' };
    const { id, rules } = await makeGate({ rules: [salted] });
    const second = { ...everyone, name: 'Second' };
    const changed = await ok('PATCH', `gates/${id}`, {
      rules: [second, { ...everyone, passPercentage: 5 }],
    });
    const { salt } = salted;
    expect(changed.rules[1]).toMatchObject({ id: rules[0].id, passPercentage: 5, salt });
  });
});

describe('a cycle of rules', () => {
  const passesSegment = (targetValue: string) => [rule({ type: 'passes_segment', targetValue })];

  test('is refused at any length', async () => {
    const [first, second] = [await makeGate(), await makeGate()];
    const segment = await makeSegment({ rules: [passing(second.id)] });
    await ok('PATCH', `gates/${second.id}`, { rules: [passing(first.id)] });
    const close = (rules: object[]) => invalidPropertiesOf('PATCH', `gates/${first.id}`, { rules });
    const closing = ['rules.0.conditions.0.targetValue'];
    expect(await close([passing(first.id)])).toEqual(closing);
    expect(await close([passing(second.id)])).toEqual(closing);
    expect(await close(passesSegment(segment.id))).toEqual(closing);
    expect(await ok('GET', `gates/${first.id}`)).toMatchObject({ version: 1, rules: [] });
  });

  test('is refused through an experiment', async () => {
    const gate = await makeGate();
    const { id: field } = await makeExperiment({ targetingGateID: gate.id });
    const group = { type: 'experiment_group', field, operator: 'any', targetValue: ['Test'] };
    expect(
      await invalidPropertiesOf('PATCH', `gates/${gate.id}`, { rules: [rule(group)] }),
    ).toEqual(['rules.0.conditions.0.field']);
  });

  test('is refused through inline rules of an experiment', async () => {
    const { id } = await makeExperiment();
    const group = { type: 'experiment_group', field: id, operator: 'any', targetValue: ['Test'] };
    const segment = await makeSegment({ rules: [rule(group)] });
    const gate = await makeGate({ rules: passesSegment(segment.id) });
    const inline = (rules: object[]) => ({ inlineTargetingRulesJSON: JSON.stringify(rules) });
    const close = (rules: object[]) =>
      invalidPropertiesOf('PATCH', `experiments/${id}`, inline(rules));
    expect(await close(passesSegment(segment.id))).toEqual([
      'inlineTargetingRulesJSON.0.conditions.0.targetValue',
    ]);
    expect(await close([passing(gate.id)])).toEqual([
      'inlineTargetingRulesJSON.0.conditions.0.targetValue',
    ]);
    expect(await ok('GET', `experiments/${id}`)).toMatchObject({ version: 1, ...inline([]) });
    const open = await makeExperiment(inline([passing(gate.id)]));
    const other = { ...group, field: open.id };
    expect(
      await invalidPropertiesOf('PATCH', `gates/${gate.id}`, { rules: [rule(other)] }),
    ).toEqual(['rules.0.conditions.0.field']);
  });

  test('is not created by two concurrent changes', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await makeGate(), await makeGate()];
      const name = (from: string, to: string) =>
        call('PATCH', `gates/${from}`, { body: { rules: [passing(to)] } });
      const answers = await Promise.all([name(one.id, other.id), name(other.id, one.id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('is not reported if two paths lead to one gate', async () => {
    const [base, left] = [await makeGate(), await makeGate()];
    await ok('PATCH', `gates/${left.id}`, { rules: [passing(base.id)] });
    const both = [passing(base.id), passing(left.id)];
    const top = await makeGate({ rules: both });
    await ok('PATCH', `gates/${top.id}`, { rules: both.toReversed(), description: 'Again.' });
  });
});

describe('a reference to a gate', () => {
  test('is listed by kind, and blocks removing or archiving the gate', async () => {
    const { id } = await makeGate();
    const other = await makeGate({ rules: [passing(id)] });
    const experiment = await makeExperiment({ targetingGateID: id });
    const ids = (items: { id: string }[]) => items.map((item) => item.id);
    expect(ids(await ok('GET', `gates/${id}/gate_references`))).toEqual([other.id]);
    expect(ids(await ok('GET', `gates/${id}/experiment_references`))).toEqual([experiment.id]);
    for (const [method, path] of [
      ['DELETE', `gates/${id}`],
      ['PUT', `gates/${id}/archive`],
    ]) {
      const answer = await call(method ?? '', path ?? '');
      expect(answer.status).toBe(409);
      expect(ids(answer.body.references).sort()).toEqual([experiment.id, other.id].sort());
    }
    expect(await ok('GET', `gates/${id}`)).toMatchObject({ version: 1, status: 'In Progress' });
  });

  test('does not block a forced archive, and unblocks the gate once removed', async () => {
    const { id } = await makeGate();
    const other = await makeGate({ rules: [passing(id)] });
    const body = { forceArchive: true, archiveReason: 'Old.' };
    expect(await ok('PUT', `gates/${id}/archive`, body)).toMatchObject({ status: 'Archived' });
    const { snapshot } = await ok('GET', `gates/${id}/versions/2`);
    expect(snapshot).toMatchObject(body);
    await ok('PATCH', `gates/${other.id}`, { rules: [] });
    await ok('DELETE', `gates/${id}`);
  });

  test('is not created while the gate is removed', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await makeGate();
      const [made, removed] = await Promise.all([
        call('POST', 'gates', { body: { name: unique('Referrer'), rules: [passing(id)] } }),
        call('DELETE', `gates/${id}`),
      ]);
      expect([made.status, removed.status].sort()).toEqual(
        made.status === 201 ? [201, 409] : [200, 400],
      );
    }
  });
});

describe('the status of a gate', () => {
  test('follows enable, disable, launch, archive and unarchive', async () => {
    const { id } = await makeGate();
    const put = async (name: string) => {
      const { status, isEnabled } = await ok('PUT', `gates/${id}/${name}`);
      return [status, isEnabled];
    };
    expect(await put('disable')).toEqual(['Disabled', false]);
    expect(await put('launch')).toEqual(['Launched', true]);
    expect(await put('archive')).toEqual(['Archived', true]);
    expect(await put('archive')).toEqual(['Archived', true]);
    expect((await call('PUT', `gates/${id}/enable`)).status).toBe(409);
    expect((await call('PATCH', `gates/${id}`, { body: { isEnabled: false } })).status).toBe(409);
    expect(await put('unarchive')).toEqual(['Launched', true]);
    expect(await ok('PATCH', `gates/${id}`, { isEnabled: false })).toMatchObject({
      status: 'Disabled',
    });
    expect(await put('enable')).toEqual(['In Progress', true]);
    expect(await ok('GET', `gates/${id}`)).toMatchObject({ version: 7 });
  });

  test('leaves archived gates out of lists unless requested', async () => {
    const tag = unique('archive-list');
    const gate = await makeGate({ tags: [tag] });
    await ok('PUT', `gates/${gate.id}/archive`);
    const found = async (query: string) => (await ok('GET', `gates?tags=${tag}${query}`)).length;
    expect(await found('')).toBe(0);
    expect(await found('&includeArchived=true')).toBe(1);
    expect(await found('&status=Archived')).toBe(1);
    expect(await found('&status=Archived&status=Launched')).toBe(1);
  });
});

describe('the list of gates', () => {
  const found = async (query: Record<string, string>) => {
    const { body } = await call('GET', `gates?${new URLSearchParams(query)}`);
    const ids: string[] = body.data.map(({ id }: { id: string }) => id);
    expect(body.pagination.totalItems).toBe(ids.length);
    return ids.sort();
  };

  test('is filtered by the isEnabled of responses', async () => {
    const tags = unique('switched');
    const make = async (...moves: string[]) => {
      const { id } = await makeGate({ tags: [tags] });
      for (const move of moves) await ok('PUT', `gates/${id}/${move}`);
      return id;
    };
    const [inProgress, launched, disabled] = [
      await make(),
      await make('launch'),
      await make('disable'),
    ];
    const [wasOn, wasOff] = [await make('archive'), await make('disable', 'archive')];
    const on = (more = {}) => found({ tags, isEnabled: 'true', ...more });
    const off = (more = {}) => found({ tags, isEnabled: 'false', ...more });
    expect(await on()).toEqual([inProgress, launched].sort());
    expect(await off()).toEqual([disabled]);
    expect(await on({ includeArchived: 'true' })).toEqual([inProgress, launched, wasOn].sort());
    expect(await off({ includeArchived: 'true' })).toEqual([disabled, wasOff].sort());
    expect(await on({ status: 'Launched' })).toEqual([launched]);
    expect(await on({ status: 'Disabled' })).toEqual([]);
    expect(await off({ status: 'Archived' })).toEqual([wasOff]);
    expect(await found({ isEnabled: 'false' })).toContain(disabled);
    expect(await found({ isEnabled: 'true' })).toContain(launched);
  });

  test('is filtered by holdout and release pipeline', async () => {
    const { id: releasePipelineID } = await makePipeline();
    const [first, second, archived] = [
      await makeGate({ releasePipelineID }),
      await makeGate({ releasePipelineID }),
      await makeGate({ releasePipelineID }),
    ];
    const { id: holdoutID } = await makeHoldout({ gateIDs: [first.id, archived.id] });
    await ok('PUT', `gates/${archived.id}/archive`, { forceArchive: true });
    expect(await found({ holdoutID })).toEqual([first.id]);
    expect(await found({ holdoutID, includeArchived: 'true' })).toHaveLength(2);
    expect(await found({ releasePipelineID })).toEqual([first.id, second.id].sort());
    expect(await found({ releasePipelineID, holdoutID })).toEqual([first.id]);
    await ok('PATCH', `holdouts/${holdoutID}`, { gateIDs: [] });
    await ok('PATCH', `gates/${second.id}`, { releasePipelineID: null });
    expect(await found({ holdoutID, includeArchived: 'true' })).toEqual([]);
    expect(await found({ releasePipelineID })).toEqual([first.id]);
    expect(await found({ holdoutID: 'none' })).toEqual([]);
  });

  test('reads only the found rows for one holdout or pipeline', async () => {
    const { id: releasePipelineID } = await makePipeline();
    const { id } = await makeGate({ releasePipelineID });
    const { id: holdoutID } = await makeHoldout({ gateIDs: [id] });
    for (let count = 0; count < 20; count++) await makeGate();
    for (const query of [`holdoutID=${holdoutID}`, `releasePipelineID=${releasePipelineID}`])
      expect(costOf(await call('GET', `gates?${query}`)).read).toBeLessThan(8);
  });
});

describe('the lists of referrers of a gate', () => {
  test('contain archived referrers unless excluded', async () => {
    const { id } = await makeGate();
    const made = [
      ['gates', await makeGate({ rules: [passing(id)] }), 'gate_references'],
      ['experiments', await makeExperiment({ targetingGateID: id }), 'experiment_references'],
      [
        'dynamic_configs',
        await makeDynamicConfig({ rules: [passing(id)] }),
        'dynamic_config_references',
      ],
    ] as const;
    for (const [path, entity, list] of made) {
      await ok('PUT', `${path}/${entity.id}/archive`);
      expect(await ok('GET', `gates/${id}/${list}`)).toHaveLength(1);
      expect(await ok('GET', `gates/${id}/${list}?includeArchived=true`)).toHaveLength(1);
      const { data, body } = await call('GET', `gates/${id}/${list}?includeArchived=false`);
      expect([data, body.pagination.totalItems]).toEqual([[], 0]);
    }
  });
});

describe('the list of experiments that a gate targets', () => {
  test('leaves out experiments that refer to it in another property', async () => {
    const { id } = await makeGate();
    const experiment = await makeExperiment();
    const [{ id: groupID }] = experiment.groups;
    const overrides = [{ type: 'gate', id, groupID }];
    await ok('POST', `experiments/${experiment.id}/overrides`, { overrides });
    expect(await ok('GET', `gates/${id}/experiment_references`)).toEqual([]);
  });
});

const path = async (body?: object) => {
  const { id } = await makeGate();
  if (body) await ok('POST', `gates/${id}/overrides`, body);
  return `gates/${id}/overrides`;
};
const inStaging = { environment: 'staging', unitID: 'companyID' };

describe('the overrides of a gate', () => {
  test('are replaced, added to and removed', async () => {
    const overrides = await path({ passingUserIDs: ['a', 'b', 'a'], failingUserIDs: ['c'] });
    const at = (failingIDs: string[]) => ({
      environmentOverrides: [{ ...inStaging, passingIDs: [], failingIDs }],
    });
    expect(await ok('PATCH', overrides, { passingUserIDs: ['d'], ...at(['x']) })).toEqual({
      passingUserIDs: ['a', 'b', 'd'],
      failingUserIDs: ['c'],
      ...at(['x']),
    });
    expect(await ok('PATCH', overrides, at(['y']))).toMatchObject(at(['x', 'y']));
    expect(await ok('DELETE', overrides, { passingUserIDs: ['a'], ...at(['x']) })).toEqual({
      passingUserIDs: ['b', 'd'],
      failingUserIDs: ['c'],
      ...at(['y']),
    });
    expect(await ok('POST', overrides, { passingUserIDs: [] })).toMatchObject({
      passingUserIDs: [],
      failingUserIDs: ['c'],
    });
    expect(await ok('DELETE', overrides)).toEqual({
      passingUserIDs: [],
      failingUserIDs: [],
      environmentOverrides: [],
    });
  });

  test('lose the entries of a removal, in any environment by default, and the response counts them', async () => {
    const entry = (environment: string | null, unitID: string, passingIDs: string[]) => ({
      environment,
      unitID,
      passingIDs,
      failingIDs: ['z'],
    });
    const environmentOverrides = [
      entry('staging', 'companyID', ['x', 'y']),
      entry(null, 'companyID', ['x']),
      entry('staging', 'userID', ['x']),
    ];
    const overrides = await path({ passingUserIDs: ['a', 'b'], environmentOverrides });
    const remove = async (body?: object) => (await call('DELETE', overrides, { body })).body;
    const inAny = { unitID: 'companyID', passingIDs: ['x', 'unknown'], failingIDs: [] };
    const removed = await remove({ environmentOverrides: [inAny] });
    expect(removed).toMatchObject({
      message: 'Gate overrides updated successfully, 2 entries removed.',
      removed: 2,
      data: {
        environmentOverrides: [
          entry('staging', 'companyID', ['y']),
          entry(null, 'companyID', []),
          environmentOverrides[2],
        ],
      },
    });
    const inNone = { ...inAny, environment: null, passingIDs: [], failingIDs: ['z'] };
    expect(await remove({ environmentOverrides: [inNone] })).toMatchObject({
      message: 'Gate overrides updated successfully, 1 entry removed.',
      data: {
        environmentOverrides: [entry('staging', 'companyID', ['y']), environmentOverrides[2]],
      },
    });
    expect(await remove({ passingUserIDs: ['none'] })).toMatchObject({ removed: 0 });
    expect(await remove()).toMatchObject({ removed: 6, data: { environmentOverrides: [] } });
  });

  test('are part of the history of the gate', async () => {
    const overrides = await path({ passingUserIDs: ['a'] });
    const gate = overrides.replace('/overrides', '');
    await ok('POST', overrides, { passingUserIDs: ['b'] });
    await ok('PUT', `${gate}/versions/2/restore`);
    expect(await ok('GET', overrides)).toMatchObject({ passingUserIDs: ['a'] });
  });
});

describe('the passing and failing overrides of a gate', () => {
  test('have an id on one side per unit type and environment, in all lists', async () => {
    const at = (environment: string | null | undefined, unitID: string, failingIDs: string[]) => ({
      environmentOverrides: [{ environment, unitID, passingIDs: [], failingIDs }],
    });
    const passingIn = (environment: string, passingIDs: string[]) => ({
      environmentOverrides: [{ environment, unitID: 'userID', passingIDs, failingIDs: [] }],
    });
    const overrides = await path({ passingUserIDs: ['a'] });
    const property = 'environmentOverrides.0.failingIDs';
    for (const none of [null, undefined, ''])
      for (const method of ['PATCH', 'POST'])
        expect(
          await invalidPropertiesOf(method, overrides, at(none, 'userID', ['b', 'a'])),
        ).toEqual([property]);
    for (const environment of ['staging', 'production'])
      expect(
        await invalidPropertiesOf('PATCH', overrides, at(environment, 'userID', ['a'])),
      ).toEqual([property]);
    await ok('PATCH', overrides, at('staging', 'userID', ['b']));
    expect(await invalidPropertiesOf('PATCH', overrides, { passingUserIDs: ['b'] })).toEqual([
      'passingUserIDs',
    ]);
    await ok('PATCH', overrides, passingIn('production', ['b']));
    await ok('PATCH', overrides, at(null, 'companyID', ['a']));
    await ok('PATCH', overrides, at('', 'userID', ['c']));
    expect(await invalidPropertiesOf('PATCH', overrides, { passingUserIDs: ['c'] })).toEqual([
      'passingUserIDs',
    ]);
    const { environmentOverrides } = await ok('GET', overrides);
    const environments = environmentOverrides.map(
      ({ environment }: { environment: string | null }) => environment,
    );
    expect(environments).toEqual(['staging', 'production', null, null]);
  });

  const unitIDs = ['userID', 'companyID'];
  test.each(unitIDs)(
    'have an id on one side, in any letter case of staging and %s',
    async (unitID) => {
      const entry = { environment: 'staging', unitID, passingIDs: [], failingIDs: [] };
      const overrides = await path({ environmentOverrides: [{ ...entry, passingIDs: ['a'] }] });
      const failing = (given: object) => ({
        environmentOverrides: [{ ...entry, failingIDs: ['a'], ...given }],
      });
      for (const given of [{ environment: 'Staging' }, { unitID: unitID.toLowerCase() }])
        expect(await invalidPropertiesOf('PATCH', overrides, failing(given))).toEqual([
          'environmentOverrides.0.failingIDs',
        ]);
      await ok('PATCH', overrides, failing({ environment: 'Production' }));
    },
  );

  test('are added to contradictory stored ones, where the first takes effect', async () => {
    const entry = { environment: 'staging', unitID: 'userID', passingIDs: [], failingIDs: [] };
    const contradicting = [
      { ...entry, passingIDs: ['a'] },
      { ...entry, environment: 'Staging', failingIDs: ['a'] },
    ];
    const overrides = await path({});
    const stored = JSON.stringify({
      ...{ passingUserIDs: [], failingUserIDs: [] },
      environmentOverrides: contradicting,
    });
    await env.DB.prepare('update gates set overrides = ? where id = ?')
      .bind(stored, overrides.split('/')[1])
      .run();
    expect(await ok('PATCH', overrides, { passingUserIDs: ['b'] })).toMatchObject({
      passingUserIDs: ['b'],
      environmentOverrides: contradicting,
    });
    expect(await invalidPropertiesOf('PATCH', overrides, { failingUserIDs: ['a'] })).toEqual([
      'failingUserIDs',
    ]);
  });

  test('have an id on one side only', async () => {
    const overrides = await path({ passingUserIDs: ['a'] });
    expect(await invalidPropertiesOf('PATCH', overrides, { failingUserIDs: ['a'] })).toEqual([
      'failingUserIDs',
    ]);
    const both = [{ ...inStaging, passingIDs: ['x'], failingIDs: ['x'] }];
    expect(await invalidPropertiesOf('POST', overrides, { environmentOverrides: both })).toEqual([
      'environmentOverrides.0.failingIDs',
    ]);
    const moved = { passingUserIDs: [], failingUserIDs: ['a'] };
    expect(await ok('POST', overrides, moved)).toMatchObject(moved);
  });
});

test('gates report whether and why they are stale', async () => {
  const tag = unique('stale');
  const everyone = { name: 'All', passPercentage: 100, conditions: [{ type: 'public' }] };
  const some = {
    ...everyone,
    conditions: [{ type: 'country', operator: 'any', targetValue: ['DE'] }],
  };
  const cases: [reason: string, body: object, move?: string][] = [
    ['STALE_NO_RULES', { rules: [] }],
    ['STALE_ALL_TRUE', { rules: [everyone, { ...some, name: 'Some' }] }],
    ['STALE_ALL_FALSE', { rules: [{ ...some, passPercentage: 0 }] }],
    ['STALE_ALL_TRUE', { rules: [some] }, 'launch'],
    ['STALE_ALL_FALSE', { rules: [some] }, 'disable'],
    ['NONE', { rules: [some] }],
    ['NONE', { rules: [{ ...everyone, passPercentage: 50 }] }],
    ['NONE', { rules: [{ ...everyone, environments: ['development'] }] }],
    ['NONE', { rules: [], type: 'PERMANENT' }],
  ];
  const ids: string[] = [];
  for (const [, body, move] of cases) {
    const { id } = await makeGate({ type: 'TEMPORARY', tags: [tag], ...body });
    if (move) await ok('PUT', `gates/${id}/${move}`);
    ids.push(id);
  }
  expect(await ok('GET', `gates?tags=${tag}&stale=true`)).toEqual([]);
  const setTime = async (time: number) => {
    for (const id of ids)
      await env.DB.prepare('update gates set lastModifiedTime = ? where id = ?')
        .bind(time, id)
        .run();
  };
  const longAgo = Date.now() - 30 * 24 * 60 * 60 * 1000;
  await setTime(longAgo + 60_000);
  expect(await ok('GET', `gates?tags=${tag}&stale=true`)).toEqual([]);
  await setTime(longAgo - 1000);
  const all = await ok('GET', `gates?tags=${tag}`);
  const reasonOf = new Map(
    all.map((gate: { id: string; typeReason: string }) => [gate.id, gate.typeReason]),
  );
  expect(ids.map((id) => reasonOf.get(id))).toEqual(cases.map(([reason]) => reason));
  const stale = await ok('GET', `gates?tags=${tag}&stale=true`);
  expect(stale.map(({ id }: { id: string }) => id).sort()).toEqual(
    ids.filter((_, index) => cases[index]?.[0] !== 'NONE').sort(),
  );
});
