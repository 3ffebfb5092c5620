import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accepted,
  add,
  api,
  asJSON,
  button,
  closed,
  dock,
  everyone,
  go,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { share } from './editing.ts';

async function save(page: Page): Promise<void> {
  await button(page, /^Review/).click();
  await accepted(page);
  await button(page, /^Save/).click();
  await closed(page);
}

describe('names', () => {
  testPage(
    'that are only used are listed, registered by a change, and renamed everywhere',
    async () => {
      const tag = unique('seasonal').replaceAll(' ', '-');
      const gate = await api('POST', 'gates', { name: unique('Gate'), tags: [tag] });
      const page = await visit(`/tags/${tag}`);
      await page.getByText('1 use').waitFor();
      await page.getByLabel('Description').fill('Comes and goes.');
      await save(page);
      expect(await api('GET', `tags/${tag}`)).toMatchObject({
        description: 'Comes and goes.',
        version: 2,
        uses: 1,
      });
      await page.getByLabel('Name', { exact: true }).fill(`${tag}-new`);
      await save(page);
      expect((await api('GET', `gates/${gate.id}`)).tags).toEqual([`${tag}-new`]);
    },
  );

  testPage('of environments are edited as one list with a history', async () => {
    const name = unique('preview').replaceAll(' ', '-');
    const usual = await api('GET', 'environments');
    await api('POST', 'environments', { environments: usual.environments });
    const page = await visit('/environments');
    await add(page, 'Add an environment');
    await page.getByLabel('Name').last().fill(name);
    await button(page, /^Review/).click();
    const review = page.getByRole('dialog', { name: 'Review: Environments' });
    await review.getByText('New environment “preview').waitFor();
    expect(await review.getByText('+').count()).toBe(1);
    await page.keyboard.press('Escape');
    await save(page);
    const { environments } = await api('GET', 'environments');
    expect(environments.at(-1)).toEqual({
      id: name,
      name,
      isProduction: false,
      requiresReview: false,
      requiresReleasePipeline: false,
      uses: 0,
    });
    await page.getByRole('link', { name: 'History' }).click();
    await page
      .getByText(/New environment “preview/)
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe('/environments/history');
  });

  testPage('of tags can be changed, and their address changes too', async () => {
    const [before, after] = [unique('Tag'), unique('Tag')];
    await api('POST', 'tags', { name: before });
    const page = await visit(`/tags/${encodeURIComponent(before)}`);
    await page.getByLabel('Name', { exact: true }).fill(after);
    await save(page);
    await page.getByRole('heading', { name: after, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/tags/${encodeURIComponent(after)}`);
  });

  testPage('are merged only after a confirmation', async () => {
    const [before, after] = [unique('Tag'), unique('Tag')];
    const { id } = await makeGate({ tags: [before] });
    await makeGate({ tags: [after] });
    const page = await visit(`/tags/${encodeURIComponent(before)}`);
    await page.getByLabel('Name', { exact: true }).fill(after);
    await button(page, /^Review/).click();
    const review = page.getByRole('dialog', { name: `Review: ${before}` });
    await review.getByText(`Everything that uses “${before}” will use the other tag.`).waitFor();
    expect(await review.getByText('Add to change set').count()).toBe(0);
    expect((await api('GET', `gates/${id}`)).tags).toEqual([before]);
    await button(page, 'Merge').click();
    await accepted(page);
    await button(page, /^Save/).click();
    await closed(page);
    await page.getByRole('heading', { name: after, level: 1 }).waitFor();
    expect((await api('GET', `gates/${id}`)).tags).toEqual([after]);
  });

  testPage('that were renamed appear in the history of the entities that use them', async () => {
    const name = unique('Tag').replaceAll(' ', '-');
    await api('POST', 'tags', { name });
    const { id } = await makeGate({ tags: [name] });
    await api('PATCH', `tags/${name}`, { name: `${name}-new` });
    const page = await visit(`/gates/${id}/history`);
    await page.getByText('renamed a tag of this').waitFor();
  });

  testPage('with unsaved changes are marked in the settings', async () => {
    const { id } = await api('POST', 'tags', { name: unique('tag') });
    const page = await visit(`/tags/${encodeURIComponent(id)}`);
    await page.getByLabel('Description').fill('Not stored.');
    await page.getByRole('link', { name: /^Settings.*unsaved changes/ }).waitFor();
  });

  testPage('that can be renamed have no fixed ID', async () => {
    const name = unique('Renamed');
    await api('POST', 'tags', { name });
    await api('PATCH', `tags/${encodeURIComponent(name)}`, { name: `${name} anew` });
    const page = await visit(`/tags/${encodeURIComponent(name)}`);
    await page.getByText('CONSOLE API renamed this').waitFor();
    expect(await button(page, 'Restore …').count()).toBe(0);
    await go(page, '/tags');
    await button(page, 'New tag').click();
    await page.keyboard.type(`${name} next`);
    await page.getByText(/^ID: /).waitFor();
    await go(page, '/users');
    await button(page, 'New user').click();
    await page.getByLabel('Email').waitFor();
    expect(await page.getByText('The ID is generated').count()).toBe(0);
  });

  testPage('of the company are edited on its own page', async () => {
    const name = unique('The shop');
    const page = await visit('/company');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await save(page);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect((await api('GET', 'company')).name).toBe(name);
  });

  testPage('of users are added with their role', async () => {
    const email = `${unique('ada').replaceAll(' ', '.')}@shop.example`;
    const page = await visit('/users');
    await button(page, 'New user').click();
    await page.keyboard.type(email);
    await page.getByLabel('Role').selectOption('Viewer');
    await accepted(page);
    await button(page, 'Create').click();
    await page.getByRole('heading', { name: email, level: 1 }).waitFor();
    expect(await api('GET', `users/${email}`)).toMatchObject({ role: 'viewer', name: email });
  });
});

describe('a webhook', () => {
  testPage('displays its secret once and its deliveries, and resends one', async () => {
    const name = unique('Chat');
    const page = await visit('/webhooks');
    await button(page, 'New webhook').click();
    await page.keyboard.type(name);
    await page.getByLabel('URL').fill('https://hooks.shop.example/console');
    await accepted(page);
    await button(page, 'Create').click();
    const secret = await page.locator('.secret-text').textContent();
    expect(secret).toMatch(/^whsec_/);
    await button(page, "I've saved it").click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByText('No deliveries yet.').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const gate = await api('POST', 'gates', { name: unique('Gate') });
    await page.reload();
    await page.getByRole('link', { name: gate.id }).waitFor();
    await button(page, 'Resend …').first().click();
    await accepted(page);
    await button(page, 'Resend').click();
    await closed(page);
    const [resent] = await api('GET', 'audit_logs?kind=webhook_delivery&limit=1');
    expect(resent).toMatchObject({ action: 'resend' });
    await go(page, '/audit_logs');
    await page.getByLabel('Kind').selectOption('webhook delivery');
    await page.locator('.entry', { hasText: 'resent a delivery of' }).first().waitFor();
    await api('DELETE', `webhooks/${id}`);
  });
});

describe('properties of flags and segments', () => {
  testPage('overrides of a holdout are edited', async () => {
    const { id } = await api('POST', 'holdouts', { name: unique('Holdout'), passPercentage: 2 });
    const page = await visit(`/holdouts/${id}/overrides`);
    await page.getByLabel('Always held out').fill('u-1');
    await page.keyboard.press('Enter');
    await save(page);
    expect((await api('GET', `holdouts/${id}/overrides`)).passingUserIDs).toEqual(['u-1']);
  });

  testPage('overrides of a gate for one environment are edited', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}/overrides`);
    await add(page, 'Add an override');
    await page.getByLabel('Environment').fill('staging');
    await page.getByLabel('Always pass').last().fill('u-1,');
    await page.getByLabel('Never pass').last().fill('u-2,');
    await save(page);
    expect((await api('GET', `gates/${id}/overrides`)).environmentOverrides).toEqual([
      { environment: 'staging', unitID: 'userID', passingIDs: ['u-1'], failingIDs: ['u-2'] },
    ]);
  });

  testPage('an autotune is decided, and locked after its start', async () => {
    const variants = ['red', 'blue'].map((name) => ({ name, json: {}, size: 50 }));
    const { id } = await api('POST', 'autotunes', {
      name: unique('Autotune'),
      successEvent: 'click',
      explorationWindow: '24hr',
      attributionWindow: '1hr',
      winnerThreshold: '95%',
      variants,
    });
    const page = await visit(`/autotunes/${id}`);
    const idType = page.getByRole('combobox', { name: 'ID type' });
    await idType.waitFor();
    await api('PUT', `autotunes/${id}/start`);
    await api('PUT', `autotunes/${id}/make_decision`, { id: 'blue', decisionReason: 'Seen more.' });
    await page.goto(`/autotunes/${id}/variants`);
    await page.getByText('decided: blue').waitFor();
    await page.getByText('Variants and ID type are locked').waitFor();
    await page.getByText('ID type', { exact: true }).waitFor();
    expect(await idType.count()).toBe(0);
  });

  testPage('a rule of a dynamic config has a return value', async () => {
    const { id } = await api('POST', 'dynamic_configs', {
      name: unique('Config'),
      defaultValue: { a: 1 },
    });
    const page = await visit(`/dynamic_configs/${id}/rules`);
    await add(page, 'A share of everyone');
    expect(await page.getByLabel('a of Value').inputValue()).toBe('1');
    await asJSON(page);
    expect(JSON.parse(await page.getByLabel('and returns').inputValue())).toEqual({ a: 1 });
    await page.getByLabel('and returns').fill('null');
    await button(page, /^Review/).click();
    await page.getByText('Rule 1, return value must be an object').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('and returns').inputValue()).toBe('null');
    await page.getByLabel('and returns').fill('{"a": 2}');
    await save(page);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('returns {"a":2}').waitFor();
    const value = { passPercentage: 10, conditions: [{ type: 'public' }], returnValue: { a: 3 } };
    const variants = [{ id: 'b', name: 'B', passPercentage: 50, returnValue: { a: 4 } }];
    await api('PATCH', `dynamic_configs/${id}`, { rules: [{ name: 'R', ...value, variants }] });
    await page.reload();
    await page.getByText('variant “B”: pass percentage 50, return value {"a":4}').waitFor();
  });

  testPage('a rule of a dynamic config has variants', async () => {
    const { id } = await api('POST', 'dynamic_configs', {
      name: unique('Config'),
      defaultValue: { size: 1 },
      rules: [{ ...everyone(100), returnValue: { size: 2 } }],
    });
    const page = await visit(`/dynamic_configs/${id}/rules`);
    const addVariant = async () => {
      await page.getByText('Variants').click();
      await add(page, 'Add a variant');
    };
    await addVariant();
    await button(page, 'Remove variant 1').click();
    await dock(page).waitFor({ state: 'detached' });
    await addVariant();
    await page.getByLabel('Share', { exact: true }).fill('25');
    await page.getByLabel('size of Variant 1').fill('3');
    await button(page, /^Review/).click();
    await page.getByText('variant “Variant 1”, place 1').waitFor();
    await accepted(page);
    await button(page, /^Save/).click();
    await closed(page);
    const [rule] = (await api('GET', `dynamic_configs/${id}`)).rules;
    const variant = { name: 'Variant 1', passPercentage: 25, returnValue: { size: 3 } };
    expect(rule.variants).toEqual([variant]);
  });

  testPage('a JSON Schema of one line is indented, and kept as typed', async () => {
    const schema = '{"type":"object","properties":{"size":{"maximum":1e2}}}';
    const make = (body: object) =>
      api('POST', 'dynamic_configs', { name: unique('Config'), ...body });
    const plain = await make({ schema: schema.replace('1e2', '100') });
    const page = await visit(`/dynamic_configs/${plain.id}`);
    const field = page.getByLabel('JSON Schema');
    await expect.poll(() => field.inputValue()).toContain('{\n  "type": "object",\n');
    await field.fill('{ "type":\n"object" }');
    await save(page);
    expect(await field.inputValue()).toBe('{ "type":\n"object" }');
    expect((await api('GET', `dynamic_configs/${plain.id}`)).schema).toBe('{ "type":\n"object" }');
    const other = await make({ schema });
    await go(page, `/dynamic_configs/${other.id}`);
    await expect.poll(() => field.inputValue()).toBe(schema);
  });

  testPage('an archived segment is locked until it is unarchived', async () => {
    const { id, name } = await api('POST', 'segments', { name: unique('Segment') });
    await api('PUT', `segments/${id}/archive`);
    const page = await visit(`/segments?search=${id}`);
    await page.getByLabel('Status').selectOption('Archived');
    await page.getByRole('link', { name }).click();
    await page.getByText('Archived. Unarchive to make changes.').waitFor();
    await button(page, 'Unarchive …').click();
    await accepted(page);
    await button(page, 'Unarchive').click();
    await closed(page);
    await add(page, 'Certain users');
    expect(await api('GET', `segments/${id}`)).toMatchObject({ status: 'active' });
    await button(page, 'More').waitFor();
  });
});

describe('shares of a layer', () => {
  testPage('the free share of a layer excludes all of its experiments', async () => {
    const { id: layerID } = await api('POST', 'layers', { name: unique('Layer') });
    const make = (body: object) =>
      api('POST', 'experiments', { name: unique('Experiment'), layerID, ...body });
    const { id } = await make({ allocation: 40 });
    await api('PUT', `experiments/${id}/start`);
    const name = unique('More');
    const later = Array.from({ length: 100 }, (_, nth) => ({
      method: 'POST',
      path: '/console/v1/experiments',
      body: { name: `${name} ${nth}`, layerID },
    }));
    await api('POST', 'changes', { changes: later.slice(0, 50) });
    await api('POST', 'changes', { changes: later.slice(50) });
    const page = await visit(`/layers/${layerID}`);
    await page.getByRole('heading', { name: '60% free' }).waitFor();
  });

  testPage('the free share of a layer covers several pages of experiments', async () => {
    const { id: layerID } = await api('POST', 'layers', { name: unique('Layer') });
    const make = (body: object) =>
      api('POST', 'experiments', { name: unique('Large'), layerID, ...body });
    const { id } = await make({ allocation: 40 });
    await api('PUT', `experiments/${id}/start`);
    const stratifiedSampling = { status: 'pending', csv: 'x'.repeat(700_000) };
    for (let nth = 0; nth < 12; nth++) await make({ stratifiedSampling });
    const page = await visit(`/layers/${layerID}`);
    await page.getByRole('heading', { name: '60% free' }).waitFor();
  });

  testPage('an experiment closed to new units frees its share of the layer', async () => {
    const { id: layerID } = await api('POST', 'layers', { name: unique('Layer') });
    const { id } = await api('POST', 'experiments', { name: unique('Closed'), layerID });
    await api('PUT', `experiments/${id}/start`);
    await api('PUT', `experiments/${id}/stop_assignment`);
    const page = await visit(`/layers/${layerID}`);
    await page.getByRole('heading', { name: '100% free' }).waitFor();
  });

  testPage('an experiment with explicit buckets reduces the free share of its layer', async () => {
    const { id: layerID } = await api('POST', 'layers', { name: unique('Layer') });
    // Fractions are not buckets.
    const userBuckets = Array.from({ length: 250 }, (_, bucket) => bucket).concat([0.5, 1.5]);
    const body = { name: unique('Numbered'), layerID, userBuckets };
    const { id } = await api('POST', 'experiments', body);
    await api('PUT', `experiments/${id}/start`);
    const page = await visit(`/layers/${layerID}`);
    await page.getByRole('heading', { name: '75% free' }).waitFor();
  });
});

describe('properties of experiments', () => {
  testPage('targeting rules of an experiment are edited like those of a gate', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Experiment') });
    const page = await visit(`/experiments/${id}/design`);
    await page.getByText('everyone may be in it').waitFor();
    await add(page, 'Certain users');
    await page.getByText('is not in the experiment').waitFor();
    await button(page, /^Review/).click();
    await page.getByText('New targeting rule “Certain users”, place 1').waitFor();
    await page.getByText('Not saved').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.condition .field-error').waitFor();
    await page.getByLabel('Value of condition 1').fill('ann,');
    await save(page);
    const stored = (await api('GET', `experiments/${id}`)).inlineTargetingRulesJSON;
    const conditions = [{ type: 'user_id', targetValue: ['ann'] }];
    expect(JSON.parse(stored)).toMatchObject([{ passPercentage: 100, conditions }]);
    await api('PUT', `experiments/${id}/start`);
    await page.reload();
    await page.getByText('100% where user ID is any of ann').waitFor();
    expect(await button(page, 'Certain users').count()).toBe(0);
  });

  testPage('unchanged targeting rules keep their stored text', async () => {
    const inlineTargetingRulesJSON = `[
      {"name": "Old", "passPercentage": 40, "conditions": [{"type": "public"}]},
      {"name": "Many", "passPercentage": 100, "conditions": [
        {"type": "custom_field", "field": "n", "operator": "gt", "targetValue": 1234567890123456}]}
    ]`;
    const body = { name: unique('Experiment'), inlineTargetingRulesJSON };
    const { id } = await api('POST', 'experiments', body);
    const page = await visit(`/experiments/${id}/design`);
    await share(page).fill('50');
    await button(page, /^Review/).waitFor();
    await share(page).fill('40');
    await button(page, /^Review/).waitFor({ state: 'detached' });
    await page.getByLabel('Name of rule 1', { exact: true }).focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' friends');
    await button(page, /^Review/).click();
    await page.getByText('Targeting rule “Old” renamed to “Old friends”').waitFor();
    await page.keyboard.press('Escape');
    await save(page);
    const stored = (await api('GET', `experiments/${id}`)).inlineTargetingRulesJSON;
    const kept = { id: 'Old', baseID: 'Old', name: 'Old friends', passPercentage: 40 };
    expect(JSON.parse(stored)).toMatchObject([kept, { name: 'Many' }]);
  });

  testPage('the description of a group keeps its lines', async () => {
    const groups = [{ name: 'All', size: 100, description: 'First.\nSecond.' }];
    const { id } = await api('POST', 'experiments', { name: unique('Experiment'), groups });
    const page = await visit(`/experiments/${id}/design`);
    await asJSON(page);
    await page.getByLabel('Description').press('Control+End');
    await page.keyboard.type(' Third.');
    await save(page);
    const stored = await api('GET', `experiments/${id}`);
    expect(stored.groups[0].description).toBe('First.\nSecond. Third.');
  });

  testPage('overrides of new and deleted groups are saved in the right order', async () => {
    const groups = ['Control', 'Test', 'Old'].map((name) => ({
      name,
      size: name === 'Old' ? 0 : 50,
    }));
    const made = await api('POST', 'experiments', { name: unique('Experiment'), groups });
    const groupID = made.groups[2].id;
    const path = `experiments/${made.id}/overrides`;
    await api('POST', path, { userIDOverrides: [{ groupID, ids: ['u-1'] }] });
    const page = await visit(`/experiments/${made.id}/design`);
    await button(page, 'Remove group 3').click();
    await page.getByRole('link', { name: 'Overrides' }).click();
    await button(page, 'Remove override 1').click();
    await save(page);
    expect((await api('GET', path)).userIDOverrides).toEqual([]);
    await page.getByRole('link', { name: 'Design' }).click();
    await button(page, 'Add a group').click();
    await page.getByRole('link', { name: 'Overrides' }).click();
    await add(page, 'Add an override');
    await page.getByLabel('Group').selectOption('Variant 2');
    await page.getByLabel('IDs').fill('u-2,');
    await save(page);
    expect((await api('GET', path)).userIDOverrides).toMatchObject([{ ids: ['u-2'] }]);
  });

  testPage('shares of groups are split evenly', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Experiment') });
    const page = await visit(`/experiments/${id}/design`);
    await button(page, 'Add a group').click();
    await button(page, 'Split evenly').click();
    await save(page);
    const { groups } = await api('GET', `experiments/${id}`);
    expect(groups.map(({ size }: { size: number }) => size)).toEqual([33.33, 33.33, 33.34]);
  });

  testPage('layer and targeting gate of a running experiment are links', async () => {
    const [layer, gate] = await Promise.all([
      api('POST', 'layers', { name: unique('Layer') }),
      api('POST', 'gates', { name: unique('Gate') }),
    ]);
    const { id } = await api('POST', 'experiments', {
      name: unique('Experiment'),
      layerID: layer.id,
      targetingGateID: gate.id,
      allocation: 10,
    });
    await api('PUT', `experiments/${id}/start`);
    const page = await visit(`/experiments/${id}/design`);
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    expect(await link(layer.id).getAttribute('href')).toBe(`/layers/${layer.id}`);
    await link(gate.id).click();
    await page.getByRole('heading', { name: gate.name, level: 1 }).waitFor();
  });

  testPage('the start of an experiment is scheduled and canceled', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Experiment') });
    const page = await visit(`/experiments/${id}`);
    await button(page, 'More').click();
    await button(page, 'Schedule …').click();
    await page.getByLabel('Starts').fill('2099-05-01T09:00');
    await page.getByLabel('Schedule anyway').check();
    await accepted(page);
    await button(page, 'Schedule').click();
    await closed(page);
    await page.getByText('starts May 1, 2099').waitFor();
    expect((await api('GET', `experiments/${id}`)).scheduledStartTime).toBe(
      new Date('2099-05-01T09:00').getTime(),
    );
    await button(page, 'More').click();
    await button(page, 'Cancel schedule …').click();
    await accepted(page);
    await button(page, 'Cancel schedule').click();
    await closed(page);
    expect((await api('GET', `experiments/${id}`)).scheduledStartTime).toBeNull();
  });
});

testPage('groups of a running experiment are disabled and enabled', async () => {
  const { id } = await api('POST', 'experiments', { name: unique('Experiment') });
  await api('PUT', `experiments/${id}/start`);
  const page = await visit(`/experiments/${id}/design`);
  const test = page.getByRole('columnheader', { name: 'Test' });
  const words = async () => (await test.innerText()).replaceAll(/\s+/g, ' ');
  const choose = async (label: string, others: number) => {
    await button(page, 'More').click();
    await button(page, `${label} …`).click();
    await page.getByRole('dialog').getByText('Group is required').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(1 + others);
    await page.getByRole('checkbox', { name: 'Test' }).check();
    await accepted(page);
    await button(page, label).click();
    await closed(page);
  };
  await choose('Disable groups', 1);
  await expect.poll(words).toBe('B Test disabled');
  await choose('Enable groups', 0);
  await expect.poll(words).toBe('B Test');
});

testPage('an experiment displays its hypothesis and health', async () => {
  const hypothesis = 'A lower limit sells more than it costs.';
  const { id } = await api('POST', 'experiments', { name: unique('Lopsided'), hypothesis });
  const page = await visit(`/experiments/${id}`);
  await page.getByText(hypothesis).waitFor();
  expect(await page.getByText('health').count()).toBe(0);
  await api('PUT', `experiments/${id}/start`, {});
  const time = Date.now();
  const exposures = Array.from({ length: 200 }, (_, unit) => {
    return {
      kind: 'experiment',
      id,
      group: 'Control',
      unitType: 'userID',
      unit: `u-${unit}`,
      time,
    };
  });
  await api('POST', 'exposures', { exposures });
  await page.goto(`/experiments/${id}/design`);
  await page.locator('.warned', { hasText: 'health: failed' }).waitFor();
  await page.getByText(/Sample ratio mismatch: 200 vs 0, expected 50\/50/).waitFor();
});

const dayBefore = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Creates a metric with values by days ago and unit type. */
async function metricWith(days: [number, Record<string, number>][]): Promise<string> {
  const of = { metricName: unique('Metric'), metricType: 'event_count_custom' };
  await api('POST', 'metrics', {
    name: of.metricName,
    type: of.metricType,
    metricEvents: [{ name: 'buy', type: 'count' }],
  });
  for (const [before, units] of days)
    await api('POST', 'metrics/values', {
      date: dayBefore(before),
      values: Object.entries(units).map(([unitType, value]) => ({ ...of, unitType, value })),
    });
  return `/metrics/${encodeURIComponent(`${of.metricName}::${of.metricType}`)}`;
}

testPage('a metric prefers the values of all units', async () => {
  const others = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`unit${nth}`, 1]));
  const path = await metricWith([
    [2, { ...others, overall: 30 }],
    [1, { overall: 40, ...others }],
  ]);
  const page = await visit(path);
  await page.getByText('Of all units, by day (UTC).').waitFor();
  const graph = page.getByRole('group', { name: /40 on/ });
  await graph.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect(await graph.getByRole('status').innerText()).toContain('Value: 30');
});

testPage('a metric displays one unit type on a time axis, including negative values', async () => {
  const path = await metricWith([
    [9, { companyID: 5000, userID: 1e308 }],
    [8, { userID: -1e308 }],
    [3, { companyID: 4000 }],
    [1, { companyID: 4000, userID: 0 }],
  ]);
  const page = await visit(path);
  await page.getByText('Of userID, by day (UTC).').waitFor();
  const line = page.locator('.metric-chart .ln');
  expect(await line.getAttribute('d')).toMatch(/^M[\d.]+,18L[\d.]+,168M/);
  expect(await page.locator('.metric-chart .axis-zero').getAttribute('y1')).toBe('93');
});

testPage('a metric has the 28 days before next to the last 28 days', async () => {
  const path = await metricWith([
    [29, { overall: 20 }],
    [1, { overall: 40 }],
  ]);
  const page = await visit(path);
  const graph = page.getByRole('group', { name: /40 on/ });
  await graph.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const tip = await graph.getByRole('status').innerText();
  expect(tip).toContain('28 days before: 20');
  expect(tip).toContain('Value: 40');
  await page.getByRole('button', { name: 'Show as table' }).click();
  expect(await page.locator('.chart-table tbody tr').count()).toBe(28);
});
