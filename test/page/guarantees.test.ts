import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accepted,
  api,
  asJSON,
  button,
  closed,
  dock,
  drawn,
  everyone,
  go,
  makeGate,
  signIn,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { editing, latch, openRules, review, save, share } from './editing.ts';

const shareOf = async (id: string) => (await api('GET', `gates/${id}`)).rules[0].passPercentage;

/** Records the changes that a page sends. */
function changesOf(page: Page) {
  const sent: {
    dry: boolean;
    ifMatch: string | undefined;
    once: string | undefined;
    body: string | null;
    to: string;
  }[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() === 'GET' || !url.pathname.startsWith('/console/v1/')) return;
    const headers = request.headers();
    sent.push({
      to: `${request.method()} ${url.pathname}`,
      dry: url.searchParams.get('dryRun') === 'true',
      ifMatch: headers['if-match'],
      once: headers['idempotency-key'],
      body: request.postData(),
    });
  });
  return sent;
}

describe('a change in review', () => {
  testPage('is sent as a dry run, and then saved with the same request', async () => {
    const { gate, page } = await editing();
    const sent = changesOf(page);
    await review(page);
    await accepted(page);
    await save(page);
    await closed(page);
    const [asked, stored] = sent;
    expect(sent).toHaveLength(2);
    expect(stored).toEqual({ ...asked, dry: false });
    expect([asked?.dry, asked?.ifMatch]).toEqual([true, '"1"']);
    expect(JSON.parse(stored?.body ?? '')).toEqual({
      rules: [{ ...gate.rules[0], passPercentage: 50 }],
    });
  });

  testPage('is displayed as a quoted shell command', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}/settings`);
    await page.getByLabel('Description').fill("It's on");
    await review(page);
    await page.getByText('As a request').click();
    await page.getByText(`-d '{"description":"It'\\''s on"}'`).waitFor();
  });

  testPage('keeps its dialog open until it is saved', async () => {
    const { gate, page } = await editing();
    await review(page);
    await accepted(page);
    const held = latch();
    await page.route(`**/console/v1/gates/${gate.id}`, async (route) => {
      await held.gone;
      await route.continue();
    });
    await save(page);
    await button(page, /^Saving/).waitFor();
    expect(await button(page, /^Add to change set/).count()).toBe(0);
    for (const _ of [1, 2]) {
      await page.keyboard.press('Escape');
      await drawn(page);
    }
    expect(await page.locator('dialog[open]').count()).toBe(1);
    held.letGo();
    await closed(page);
    expect(await shareOf(gate.id)).toBe(50);
  });

  testPage("explains why it can't be saved yet", async () => {
    const { id } = await makeGate({ rules: [everyone(10)] });
    await api('PUT', `gates/${id}/launch`);
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await share(page).fill('50');
    await review(page);
    await page.getByRole('dialog').getByText('take effect once the gate is enabled').waitFor();
  });

  testPage('is saved with Enter after the dry run', async () => {
    const name = unique('Gate');
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.keyboard.press('Enter');
    await page.keyboard.type(name);
    await accepted(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  testPage('must be saved or discarded before an action', async () => {
    const { page } = await editing();
    await dock(page).waitFor();
    expect(await button(page, 'Disable …').getAttribute('aria-disabled')).toBe('true');
  });

  testPage('returns the focus when it is canceled', async () => {
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.keyboard.press('Escape');
    await closed(page);
    expect(await page.locator(':focus').textContent()).toContain('New gate');
  });

  testPage('is saved once on a double click', async () => {
    const name = unique('Pressed twice');
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.keyboard.type(name);
    await accepted(page);
    const sent = changesOf(page);
    await button(page, 'Create').dblclick();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(sent.filter(({ dry }) => !dry)).toHaveLength(1);
    expect(sent[0]?.once).toMatch(/^[0-9a-f]{32}$/);
    expect(await api('GET', `gates?search=${encodeURIComponent(name)}`)).toHaveLength(1);
  });

  testPage.for([200, 503])(
    'is checked again after each edit, and outdated results are ignored: %i',
    async (status) => {
      const page = await visit('/gates');
      const { gone, letGo } = latch();
      await page.route(
        /dryRun=true$/,
        async (route) => {
          await gone;
          await (status === 200 ? route.continue() : route.fulfill({ status, body: '{}' }));
        },
        { times: 1 },
      );
      await button(page, 'New gate').click();
      const field = page.getByLabel('Name', { exact: true });
      const asked = page.waitForRequest(/dryRun=true$/);
      await field.fill(unique('Older'));
      await asked;
      await field.fill(unique('Newer'));
      await accepted(page);
      const [older] = await Promise.all([page.waitForResponse(/dryRun=true$/), letGo()]);
      await older.finished();
      await drawn(page);
      expect(await page.getByText('Ready to save').count()).toBe(1);
    },
  );
});

describe('a saved change', () => {
  testPage('is displayed as soon as it is saved', async () => {
    const { gate, page } = await editing();
    await review(page);
    const { gone, letGo } = latch();
    await page.route(`**/console/v1/gates/${gate.id}`, async (route) => {
      if (route.request().method() === 'GET') await gone;
      await route.continue();
    });
    await save(page);
    await closed(page);
    expect(await share(page).inputValue()).toBe('50');
    await share(page).fill('60');
    await review(page);
    await accepted(page);
    letGo();
  });

  testPage('is read from the updated database', async () => {
    const { gate, page } = await editing();
    await review(page);
    await accepted(page);
    const [stored, read] = await Promise.all([
      page.waitForResponse((one) => one.request().method() === 'PATCH'),
      page.waitForRequest((one) => one.method() === 'GET' && one.url().endsWith(gate.id)),
      save(page),
    ]);
    const bookmark = stored.headers()['d1-bookmark'];
    expect(bookmark).toBeTruthy();
    expect(read.headers()['d1-bookmark']).toBe(bookmark);
  });

  testPage('stores its note in the history, in any script', async () => {
    const { gate, page } = await editing();
    await review(page);
    await page.getByLabel('Note').fill('50 % reichen – für alle ✓');
    await accepted(page);
    await save(page);
    await closed(page);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('50 % reichen – für alle ✓').waitFor();
    const [newest] = await api('GET', `gates/${gate.id}/versions`);
    expect(newest).toMatchObject({ note: '50 % reichen – für alle ✓', version: 2 });
  });
});

describe('a change', () => {
  testPage('of rules and overrides is one request and one revision', async () => {
    const { gate, page } = await editing();
    await page.getByRole('link', { name: 'Overrides' }).click();
    await page.getByLabel('Always pass').fill('ann');
    await page.keyboard.press('Enter');
    await page.getByText('2 unsaved changes').waitFor();
    await review(page);
    await accepted(page);
    await save(page);
    await closed(page);
    const { passingUserIDs } = await api('GET', `gates/${gate.id}/overrides`);
    expect([await shareOf(gate.id), passingUserIDs]).toEqual([50, ['ann']]);
    const [one, other] = await api('GET', `gates/${gate.id}/versions`);
    expect(one.requestID).toBe(other.requestID);
  });

  testPage('of several rules has the same count in the save bar and in the review', async () => {
    const rules = [1, 2].map((n) => ({ ...everyone(10), name: `Rule ${n}` }));
    const { id } = await makeGate({ rules });
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    for (const rule of [1, 2])
      await page.getByLabel(`Pass percentage of rule ${rule}`, { exact: true }).fill('20');
    await page.getByText('2 unsaved changes').waitFor();
    await review(page);
    expect(await page.locator('.difference').count()).toBe(2);
  });

  testPage('that is rejected stays, with the error next to its field', async () => {
    const { gate, page } = await editing('101');
    await review(page);
    await page.getByText('Rule 1, pass percentage must be at most 100').waitFor();
    expect(await button(page, /^Save/).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await closed(page);
    expect(await share(page).inputValue()).toBe('101');
    await page.locator('.rule').getByText('must be at most 100').waitFor();
    expect(await shareOf(gate.id)).toBe(10);
  });

  testPage('that fails does not replace the result of newer input', async () => {
    const name = unique('Typed');
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    const field = page.getByLabel('Name', { exact: true });
    await field.fill(name);
    await accepted(page);
    const { gone, letGo } = latch();
    await page.route(/\/gates$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await gone;
      await route.fulfill({ status: 503, body: '{}' });
    });
    await button(page, 'Create').click();
    const failed = page.waitForResponse((response) => response.status() === 503);
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('dryRun=true')),
      field.fill(`${name} on`),
    ]);
    letGo();
    await failed;
    await page.unroute(/\/gates$/);
    await accepted(page);
    await button(page, 'Create').click();
    await page.getByRole('heading', { name: `${name} on`, level: 1 }).waitFor();
  });

  testPage('to an earlier version waits until its differences are displayed', async () => {
    const { id } = await makeGate({ description: 'As it was.' });
    await api('PATCH', `gates/${id}`, { description: 'As it is.' });
    const page = await visit(`/gates/${id}/history`);
    await page.route(/versions\/1$/, (route) => route.abort());
    await button(page, 'Restore version 1').click();
    await page.getByRole('dialog').getByText('No connection').waitFor();
    expect(await button(page, 'Restore').getAttribute('aria-disabled')).toBe('true');
    await page.unroute(/versions\/1$/);
    await button(page, 'Try again').click();
    await page.getByRole('dialog').getByText('As it is. → As it was.').waitFor();
    await accepted(page);
    await button(page, 'Restore').click();
    await closed(page);
    expect((await api('GET', `gates/${id}`)).description).toBe('As it was.');
  });

  testPage('to an earlier version does not list server timestamps', async () => {
    const { id } = await makeGate({ rules: [everyone(10)] });
    await api('PATCH', `gates/${id}`, { rules: [everyone(50)] });
    const page = await visit(`/gates/${id}/history`);
    await button(page, 'Restore version 1').click();
    await accepted(page);
    const changes = page.getByRole('dialog').locator('.differences > li');
    expect(await changes.allInnerTexts()).toEqual([expect.stringContaining('50% → 10%')]);
  });

  testPage('to an earlier version does not overwrite a concurrent change', async () => {
    const { id } = await makeGate({ description: 'As it was.' });
    await api('PATCH', `gates/${id}`, { description: 'As it is.' });
    const page = await visit(`/gates/${id}/history`);
    await button(page, 'Restore version 1').click();
    await accepted(page);
    await api('PATCH', `gates/${id}`, { description: 'As they have it.' });
    await button(page, 'Restore').click();
    await page.getByText('It has changed').waitFor();
    expect((await api('GET', `gates/${id}`)).description).toBe('As they have it.');
  });

  testPage(
    'of several entities is saved from the change set all together or not at all',
    async () => {
      const { gate, page } = await editing();
      const other = await makeGate({ rules: [everyone(10)] });
      await api('PUT', `gates/${other.id}/launch`);
      await review(page);
      await button(page, /^Add to change set/).click();
      await go(page, `/gates/${other.id}`);
      await openRules(page);
      await share(page).fill('60');
      await review(page);
      await button(page, /^Add to change set/).click();
      expect([await shareOf(gate.id), await shareOf(other.id)]).toEqual([10, 10]);
      await page.getByRole('link', { name: 'Change set' }).click();
      await accepted(page);
      await page.getByText('take effect once the gate is enabled').waitFor();
      await button(page, 'Save all').click();
      await page.getByText('The change set is empty.').waitFor();
      expect([await shareOf(gate.id), await shareOf(other.id)]).toEqual([50, 60]);
    },
  );
});

testPage('describes its effect on one or several entities', async () => {
  const one = unique('Of many');
  await Promise.all([makeGate({ name: `${one} a` }), makeGate({ name: `${one} b` })]);
  const page = await visit(`/gates?sort=name&search=${encodeURIComponent(one)}`);
  await page.getByText('2 found').waitFor({ state: 'attached' });
  await page.getByLabel(`Select ${one} a`).click();
  await button(page, 'Archive …').click();
  await page.getByText('Hides it from lists. You can restore it at any time.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel(`Select ${one} b`).click();
  await page.route(/changes\?dryRun/, (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"index": 1}' }),
  );
  await button(page, 'Archive …').click();
  await page.getByText('Hides them from lists. You can restore them at any time.').waitFor();
  await page.getByText(`${one} b can't be changed`).waitFor();
});

describe('a concurrent change', () => {
  testPage('of other properties is merged with the draft and its note', async () => {
    const { gate, page } = await editing();
    await review(page);
    await page.getByLabel('Note').fill('Half of all.');
    await accepted(page);
    await api('PATCH', `gates/${gate.id}`, { description: 'As they have it.' });
    await save(page);
    await page.getByText("don't overlap").waitFor();
    await page.getByText('Description: As it was. → As they have it.').waitFor();
    await button(page, 'Apply merge').click();
    await accepted(page);
    await save(page);
    await closed(page);
    const { description } = await api('GET', `gates/${gate.id}`);
    const [{ note }] = await api('GET', `gates/${gate.id}/versions`);
    expect([description, await shareOf(gate.id), note]).toEqual([
      'As they have it.',
      50,
      'Half of all.',
    ]);
  });

  testPage(
    'of the description of an unregistered name is a conflict with both values',
    async () => {
      const tag = unique('used').replaceAll(' ', '-');
      await makeGate({ tags: [tag] });
      const page = await visit(`/tags/${tag}`);
      await page.getByLabel('Description').fill('Mine.');
      await api('PATCH', `tags/${tag}`, { description: 'Theirs.' });
      await review(page);
      await page.getByText('Description: keep which?').waitFor();
      await page.getByText('Description: nothing → Theirs.').first().waitFor();
      expect((await api('GET', `tags/${tag}`)).description).toBe('Theirs.');
    },
  );

  testPage('that archived the entity is reported', async () => {
    const { gate, page } = await editing();
    await api('PUT', `gates/${gate.id}/archive`, {});
    await review(page);
    await page.getByText('saved a newer version while you were editing').waitFor();
    await page.getByRole('dialog').getByText('Archived. Unarchive').waitFor();
    expect(await page.getByText("don't overlap").count()).toBe(0);
  });

  testPage('that deleted the entity allows discarding the draft', async () => {
    const { gate, page } = await editing();
    await dock(page).waitFor();
    await api('DELETE', `gates/${gate.id}`);
    await page.reload();
    await page.getByRole('link', { name: /^Gates.*unsaved changes/ }).waitFor();
    await button(page, 'Discard changes').click();
    await page
      .getByRole('link', { name: /^Gates.*unsaved changes/ })
      .waitFor({ state: 'detached' });
    expect(await button(page, /^Discard/).count()).toBe(0);
  });

  testPage('of overrides during their read is merged', async () => {
    const { id } = await makeGate();
    await api('POST', `gates/${id}/overrides`, { passingUserIDs: ['theirs'] });
    const page = await visit('/gates');
    const data = { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] };
    await page.route(
      `**/console/v1/gates/${id}/overrides`,
      (route) => route.fulfill({ json: { data }, headers: { ETag: '"1"' } }),
      { times: 1 },
    );
    await go(page, `/gates/${id}/overrides`);
    await page.getByLabel('Always pass').fill('mine,');
    await review(page);
    await button(page, 'Apply merge').click();
    await accepted(page);
    await save(page);
    await closed(page);
    const { passingUserIDs } = await api('GET', `gates/${id}/overrides`);
    expect(passingUserIDs.toSorted()).toEqual(['mine', 'theirs']);
  });

  testPage('of the status is applied before an action', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await page.getByRole('link', { name: 'Overrides' }).waitFor();
    await api('PATCH', `gates/${id}`, { description: 'Meanwhile.' });
    await button(page, 'Disable …').click();
    await accepted(page);
    await button(page, 'Disable').click();
    await closed(page);
    expect(await api('GET', `gates/${id}`)).toMatchObject({ status: 'Disabled', version: 3 });
  });
});

describe('a conflicting change', () => {
  testPage.for(['Yours', 'Theirs'])('of the same rule lets the user choose: %s', async (side) => {
    const { gate, page } = await editing();
    await api('PATCH', `gates/${gate.id}`, { rules: [{ ...gate.rules[0], passPercentage: 20 }] });
    await review(page);
    await page.getByRole('radio', { name: side }).click();
    await button(page, 'Apply merge').click();
    if (side === 'Yours') {
      await accepted(page);
      await save(page);
    } else await page.getByText('Nothing left to save.').waitFor();
    await closed(page);
    expect(await shareOf(gate.id)).toBe(side === 'Yours' ? 50 : 20);
    await share(page).fill('70');
    await page.getByText('1 unsaved change').waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
  });

  testPage('that removed the same rule is listed as their change', async () => {
    const { gate, page } = await editing();
    await api('PATCH', `gates/${gate.id}`, { rules: [] });
    await review(page);
    await page.getByRole('radio', { name: 'Theirs' }).waitFor();
    const clash = page.getByRole('group', { name: /keep which\?$/ });
    expect(await clash.locator('.difference').allTextContents()).toEqual([
      '±Changed: Rule “A share of everyone” passes 10% → 50%',
      expect.stringMatching(/^−?-?Removed: Rule “A share of everyone” removed/),
    ]);
  });

  testPage('that removed the same override names its owner and group on both sides', async () => {
    const { id, groups } = await api('POST', 'experiments', { name: unique('Experiment') });
    const [control, test] = groups.map(({ name }: { name: string }) => name);
    const gate = await makeGate();
    const put = (overrides: object[]) =>
      api('POST', `experiments/${id}/overrides`, { overrides, userIDOverrides: [] });
    await put([{ type: 'gate', id: gate.id, groupID: groups[0].id }]);
    const page = await visit(`/experiments/${id}/overrides`);
    await page.getByLabel('Group').selectOption(test);
    await put([]);
    await review(page);
    const clash = page.getByRole('group', { name: /keep which\?$/ });
    await clash.getByText('removed').last().waitFor();
    const [mine, theirs] = await clash.locator('.clash-side').allInnerTexts();
    expect(mine).toContain(`New override “type gate, ID ${gate.id}, group ${test}”`);
    expect(theirs).toContain(`Override “type gate, ID ${gate.id}, group ${control}” removed`);
  });

  testPage('of the same JSON key is listed on both sides', async () => {
    const defaultValue = { count: 1, max_results: 1, other: 1 };
    const { id } = await api('POST', 'dynamic_configs', { name: unique('Config'), defaultValue });
    const page = await visit(`/dynamic_configs/${id}`);
    await asJSON(page);
    const field = page.getByLabel('Default value');
    await field.fill(JSON.stringify({ count: 500, max_results: 2, other: 1 }));
    await api('PATCH', `dynamic_configs/${id}`, {
      defaultValue: { count: 999, max_results: 1, other: 2 },
    });
    await review(page);
    const clash = page.getByRole('group', { name: 'count: keep which?' });
    await clash.getByText('count: 1 → 999').waitFor();
    const said = await page.locator('.difference').allTextContents();
    expect(said).toEqual(
      [
        ...['count: 1 → 500', 'count: 1 → 999'],
        ...['count: 1 → 999', 'other: 1 → 2'],
        ...['count: 1 → 500', 'max_results: 1 → 2'],
      ].map((text) => `±Changed: ${text}`),
    );
  });
});

/** Delivers a delayed 401 after signing in again. */
async function answeredAfterSigningIn(page: Page, late: (() => void)[], key?: string) {
  await expect.poll(() => late.length).toBe(1);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('Your session has ended.').waitFor();
  await signIn(page, key);
  await page.getByText('Your session has ended.').waitFor({ state: 'detached' });
  late[0]?.();
}

describe('typed input', () => {
  testPage('survives a reload and navigation', async () => {
    const { gate, page } = await editing();
    await page.reload();
    await dock(page).waitFor();
    expect(await share(page).inputValue()).toBe('50');
    await page.getByRole('link', { name: 'Segments' }).click();
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.getByRole('link', { name: `gates/${gate.id}` }).click();
    await dock(page).waitFor();
    expect(await share(page).inputValue()).toBe('50');
  });

  testPage('survives a reload while a word is typed', async () => {
    const conditions = [{ type: 'country', operator: 'any', targetValue: ['DE'] }];
    const { id } = await makeGate({ rules: [{ ...everyone(10), conditions }] });
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await page.getByLabel('Value of condition 1').pressSequentially('AT');
    await page.reload();
    await dock(page).waitFor();
    await button(page, 'Remove AT').waitFor();
  });

  testPage('survives an ended session', async () => {
    const { gate, page } = await editing();
    const signInAgain = async () => {
      await page.getByText('Your session has ended.').waitFor();
      await page.getByLabel('API key').fill('console-local');
      await page.keyboard.press('Enter');
      await page.getByText('Your session has ended.').waitFor({ state: 'detached' });
    };
    await page.context().clearCookies();
    await review(page);
    await signInAgain();
    await accepted(page);
    await page.context().clearCookies();
    await save(page);
    await signInAgain();
    await accepted(page);
    await save(page);
    await closed(page);
    expect(await shareOf(gate.id)).toBe(50);
  });

  testPage('survives signing in with a read-only key', async () => {
    const { key } = await api('POST', 'keys', { name: unique('Reader'), scopes: ['read'] });
    const { page } = await editing();
    await page.context().clearCookies();
    await review(page);
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, key);
    await page.locator('.who-can', { hasText: 'read-only' }).waitFor();
    await page.locator('.rule2', { hasText: '10%' }).waitFor();
    await page.keyboard.press('Control+Enter');
    expect(await page.locator('dialog, .dock').count()).toBe(0);
    await page.context().clearCookies();
    await page.reload();
    await signIn(page);
    await button(page, /^Review/).click();
    await accepted(page);
    expect(await share(page).inputValue()).toBe('50');
  });

  testPage('survives a late 401 after signing in', async () => {
    const { gate, page } = await editing();
    await page.context().clearCookies();
    const late: (() => void)[] = [];
    await page.route(`**/console/v1/gates/${gate.id}?dryRun=true`, async (route) => {
      if (late.length > 0) return route.continue();
      const response = await route.fetch();
      await new Promise<void>((go) => late.push(go));
      await route.fulfill({ response });
    });
    await review(page);
    await answeredAfterSigningIn(page, late);
    await accepted(page);
    expect(await page.getByText('Your session has ended.').count()).toBe(0);
  });

  testPage('is not saved by someone else', async () => {
    const { gate, page } = await editing();
    const { key } = await api('POST', 'keys', {
      name: unique('Another'),
      scopes: ['read', 'write'],
    });
    await review(page);
    const late: (() => void)[] = [];
    await page.route(`**/console/v1/gates/${gate.id}`, async (route) => {
      if (route.request().method() !== 'PATCH' || late.length > 0) return route.continue();
      await page.context().clearCookies();
      const response = await route.fetch({ headers: { cookie: '' } });
      await new Promise<void>((go) => late.push(go));
      await route.fulfill({ response });
    });
    await save(page);
    await answeredAfterSigningIn(page, late, key);
    await closed(page);
    await openRules(page);
    await expect.poll(() => share(page).inputValue()).toBe('10');
    expect((await api('GET', `gates/${gate.id}`)).version).toBe(gate.version);
    expect(await page.locator('.dock').count()).toBe(0);
  });

  testPage('survives a lost connection', async () => {
    const { gate, page } = await editing();
    await page.context().setOffline(true);
    await review(page);
    await page.getByText("Can't reach the server.").waitFor();
    await page.context().setOffline(false);
    await button(page, 'Try again').click();
    await accepted(page);
    await save(page);
    await closed(page);
    expect(await shareOf(gate.id)).toBe(50);
  });

  testPage('survives while it is invalid JSON', async () => {
    const config = await api('POST', 'dynamic_configs', {
      name: unique('Config'),
      defaultValue: { a: 1 },
    });
    const page = await visit(`/dynamic_configs/${config.id}`);
    await asJSON(page);
    await page.getByLabel('Default value').fill('{ "a": ');
    await page.getByText(/JSON/).first().waitFor();
    await page.reload();
    expect(await page.getByLabel('Default value').inputValue()).toBe('{ "a": ');
  });
});

describe('an error', () => {
  testPage('displays how long to wait', async () => {
    const { page } = await editing();
    const answer = {
      status: 429,
      headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '3' },
      body: JSON.stringify({ type: '/problems/x', title: 'Trouble', message: 'So it is.' }),
    };
    await page.route('**/console/v1/gates/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill(answer),
    );
    await review(page);
    await page.getByText('Trouble').waitFor();
    await page.getByRole('button', { name: /^Try again in [123] s$/ }).waitFor();
    await page.unroute('**/console/v1/gates/**');
    await button(page, 'Try again').click();
    await accepted(page);
  });

  testPage('keeps the title of its page', async () => {
    const { id } = await makeGate();
    const page = await visit('/segments');
    await page.route('**/console/v1/gates/**', (route) => route.abort());
    await page.goto(`/gates/${id}`);
    await page.getByText("Can't reach the server").waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(id);
  });

  testPage('of a blocked change links to the blocking entities: 409', async () => {
    const { id } = await makeGate();
    const user = await makeGate({
      rules: [{ ...everyone(100), conditions: [{ type: 'passes_gate', targetValue: id }] }],
    });
    const page = await visit(`/gates/${id}`);
    await button(page, 'More').click();
    await button(page, 'Delete …').click();
    const link = page.getByRole('dialog').getByRole('link', { name: user.id });
    expect(await link.getAttribute('href')).toBe(`/gates/${user.id}`);
  });

  testPage('of a blocked change lists each blocking entity once: 409', async () => {
    const { id } = await api('POST', 'layers', {
      name: unique('Layer'),
      parameters: [{ name: 'size', type: 'string', defaultValue: 'S' }],
    });
    const { id: experiment } = await api('POST', 'experiments', {
      name: unique('Experiment'),
      layerID: id,
      groups: [{ name: 'All', size: 100, parameterValues: { size: 'L' } }],
    });
    const of = { param_type: 'string', param_name: 'size' };
    const name = unique('Store');
    const store = await api('POST', 'param_stores', { name, displayName: name, description: '' });
    await api('PATCH', `param_stores/${store.id}`, {
      parameters: [
        { ...of, name: 'one', ref_type: 'layer', layer_name: id },
        { ...of, name: 'two', ref_type: 'experiment', experiment_name: experiment },
      ],
    });
    const page = await visit(`/layers/${id}/parameters`);
    await asJSON(page);
    await button(page, 'Remove parameter 1').click();
    await button(page, /Review/).click();
    const links = page.getByRole('dialog').locator('.plain-list').getByRole('link');
    await links.first().waitFor();
    expect((await links.allInnerTexts()).toSorted()).toEqual([experiment, store.id].toSorted());
  });
});

describe('a read-only key', () => {
  testPage(
    'displays texts instead of inputs, and disabled buttons with a reason: 403',
    async () => {
      const { key } = await api('POST', 'keys', { name: unique('Reader'), scopes: ['read'] });
      const { id } = await makeGate({ rules: [everyone(10)] });
      const page = await visit(`/gates/${id}`, { key });
      await page.locator('.rule2', { hasText: '10%' }).waitFor();
      expect(await page.locator('.rules input').count()).toBe(0);
      await go(page, '/environments');
      expect(await button(page, /^Remove/).count()).toBe(0);
      await go(page, `/gates/${id}`);
      const disable = button(page, 'Disable …');
      expect(await disable.getAttribute('title')).toBe('This key is read-only');
      await disable.focus();
      await page.keyboard.press('Enter');
      expect(await page.locator('dialog').count()).toBe(0);
      await go(page, '/keys');
      await page.getByText('needs an API key with the scope admin').waitFor();
    },
  );
});

describe('a deleted entity', () => {
  testPage('can be restored from its address', async () => {
    const { id, name } = await makeGate({ description: 'Back again.' });
    const page = await visit(`/gates/${id}`);
    await button(page, 'More').click();
    await button(page, 'Delete …').click();
    await accepted(page);
    await button(page, 'Delete').click();
    await page.getByRole('heading', { name: 'Gates', level: 1 }).waitFor();
    await go(page, `/gates/${id}`);
    await page.getByText('No gate has this ID.').waitFor();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByRole('code').getByText(id, { exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe(`${name} · Gates · Console`);
    expect(await page.locator('.entry').allInnerTexts()).toEqual([
      expect.stringContaining('deleted this'),
      expect.stringContaining('created this'),
    ]);
    await button(page, 'Restore …').click();
    await accepted(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await closed(page);
    expect((await api('GET', `gates/${id}`)).description).toBe('Back again.');
    await go(page, `/gates/${id}/history`);
    await page.getByText('restored an earlier version of this').waitFor();
    expect(await page.locator('.difference').count()).toBe(0);
  });
});

testPage('an outdated response does not replace a newer one', async () => {
  const gate = await makeGate();
  const { id } = gate;
  const page = await visit(`/gates/${id}`);
  const read = `**/console/v1/gates/${id}`;
  const [asked, held] = [latch(), latch()];
  const seeAgain = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  let isFirst = true;
  await page.route(read, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    asked.letGo();
    await held.gone;
    await route.fulfill({ json: { data: gate }, headers: { ETag: '"1"' } });
  });
  await seeAgain();
  await asked.gone;
  const name = unique('Newer');
  await api('PATCH', `gates/${id}`, { name });
  await seeAgain();
  const title = page.getByRole('heading', { level: 1 });
  await expect.poll(() => title.textContent()).toBe(name);
  const older = page.waitForResponse(read);
  held.letGo();
  await (await older).finished();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('version 2').waitFor();
  expect(await title.textContent()).toBe(name);
});

describe('Try it', () => {
  testPage('returns the same result for unsaved rules as the server after saving', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await button(page, 'A share of everyone').click();
    await page.locator('.input-share:focus').waitFor();
    await page.keyboard.type('50');
    const said: boolean[] = [];
    // Enough users that a 50% share is never all or none of them.
    const users = Array.from({ length: 14 }, (_, index) => `user-${index}`);
    const field = page.getByLabel('User ID');
    const answer = page.getByRole('complementary', { name: 'Try it' }).locator('.try-answer');
    for (const user of users) {
      await field.fill('');
      await answer.waitFor({ state: 'detached' });
      await field.fill(user);
      await answer.getByText('matched rule 1').waitFor();
      said.push((await answer.textContent())?.startsWith('Passes') ?? false);
    }
    const words = (passes = false) => (passes ? 'Passes' : 'Does not pass');
    const [first = ''] = users;
    const other = users[said.indexOf(!said[0])] ?? '';
    await field.fill('');
    await answer.waitFor({ state: 'detached' });
    await field.fill(first);
    await answer.getByText(words(said[0]), { exact: true }).waitFor();
    for (const user of ['', other, first]) await field.fill(user);
    await answer.getByText(words(said[0]), { exact: true }).waitFor();
    await field.fill(other);
    await answer.getByText(words(!said[0]), { exact: true }).waitFor();
    await review(page);
    await accepted(page);
    await save(page);
    await closed(page);
    const stored = await Promise.all(
      users.map((userID) => api('POST', 'evaluate', { user: { userID }, kind: 'gate', id })),
    );
    expect(said).toEqual(stored.map(({ value }) => value));
    expect(new Set(said).size).toBe(2);
  });

  testPage('displays the value of each condition, or that it is missing', async () => {
    const conditions = [{ type: 'email', operator: 'any', targetValue: ['ann@shop.example'] }];
    const { id } = await makeGate({ rules: [{ name: 'Ann', passPercentage: 100, conditions }] });
    const page = await visit(`/gates/${id}`);
    const answer = page.getByRole('complementary', { name: 'Try it' }).locator('.try-answer');
    const evaluator = '**/evaluator.js';
    await page.route(evaluator, (route) => route.abort());
    await page.reload();
    await page.getByLabel('User ID').fill('ann');
    await answer.getByText("Can't load the evaluator").waitFor();
    await page.unroute(evaluator);
    await page.reload();
    await page.getByLabel('User ID').fill('ann');
    await answer.getByText('email is not set').waitFor();
    await page.getByText('Email, environment, custom fields').click();
    await page.getByLabel('Email', { exact: true }).fill('ann@shop.example');
    await answer.getByText('matched rule 1').waitFor();
    await answer.getByText('email "ann@shop.example" matches').waitFor();
  });

  testPage('evaluates a dependency with the same ID and another type', async () => {
    const name = unique('Employees');
    const conditions = [{ type: 'user_id', operator: 'any', targetValue: ['ann'] }];
    const rules = [{ name: 'Ann', passPercentage: 100, conditions }];
    const { id } = await api('POST', 'segments', { name, rules });
    const asking = (type: string) => ({
      name,
      rules: [{ ...everyone(100), conditions: [{ type, targetValue: id }] }],
    });
    await api('POST', 'gates', asking('passes_segment'));
    await api('POST', 'dynamic_configs', asking('passes_gate'));
    const page = await visit(`/gates/${id}`);
    const answer = page.getByRole('complementary', { name: 'Try it' }).locator('.try-answer');
    await page.getByLabel('User ID').fill('ann');
    await answer.getByText('Passes: matched rule 1').waitFor();
    await go(page, `/dynamic_configs/${id}/rules`);
    await page.getByLabel('User ID').fill('ann');
    await answer.getByText('matched rule 1').waitFor();
  });
});
