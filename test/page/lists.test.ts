import { expect } from 'vitest';
import {
  accepted,
  api,
  button,
  drawn,
  everyone,
  go,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { latch } from './editing.ts';

testPage('a page after the last one displays the last page', async () => {
  const { name } = await makeGate();
  const page = await visit(`/gates?search=${encodeURIComponent(name)}&page=999`);
  await page.getByRole('link', { name }).waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe(null);
});

testPage('Back from a page after the last one leads to the previous page', async () => {
  const { name } = await makeGate();
  const page = await visit('/segments');
  await page.goto(`/gates?search=${encodeURIComponent(name)}&page=999`);
  await page.getByRole('link', { name }).waitFor();
  await page.waitForURL((url) => !url.searchParams.has('page'));
  await page.goBack();
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/segments');
});

testPage('the next page starts at the top', async () => {
  const word = unique('Many').replaceAll(' ', '');
  const changes = Array.from({ length: 100 }, (_, nth) => ({
    method: 'POST',
    path: '/console/v1/segments',
    body: { name: `${word} ${nth}` },
  }));
  await api('POST', 'changes', { changes: changes.slice(0, 50) });
  await api('POST', 'changes', { changes: changes.slice(50) });
  const page = await visit(`/segments?search=${word}`, { height: 500 });
  await page.getByText('1–50 of 100').waitFor();
  await button(page, 'Next page').click();
  await page.getByText('51–100 of 100').waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
  await page.goBack();
  await page.getByText('1–50 of 100').waitFor();
});

testPage('an invalid page number is ignored', async () => {
  const answer = { data: [], pagination: { itemsPerPage: 50, pageNumber: 1, totalItems: 120 } };
  const page = await visit('/segments');
  await page.route('**/console/v1/gates?*', (route) => route.fulfill({ json: answer }));
  await go(page, '/gates');
  const field = page.getByLabel('Page', { exact: true });
  for (const text of ['4', 'two']) {
    await field.fill(text);
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('1');
  }
  await field.fill('3');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('3');
});

testPage('a filter returns to the first page', async () => {
  const page = await visit('/gates');
  await page.route('**/console/v1/{gates,audit_logs}?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const totalItems = query.has('status') ? 1 : 120;
    const pagination = { itemsPerPage: 50, pageNumber: Number(query.get('page')), totalItems };
    return route.fulfill({ json: { data: [], pagination } });
  });
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
  await go(page, '/gates?page=2');
  await page.getByLabel('Status').selectOption('Disabled');
  expect(asked()).toEqual({ status: 'Disabled' });
  await page.getByText('of 120').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByText('51–100 of 120').waitFor();
  await page.getByLabel('Search gates').fill('some');
  await expect.poll(asked).toEqual({ search: 'some' });
  await go(page, '/audit_logs?page=2');
  await page.getByLabel('Kind').selectOption('gate');
  expect(asked()).toEqual({ kind: 'gate' });
});

testPage('a selection does not carry over to another list', async () => {
  const one = unique('Chosen');
  await Promise.all([makeGate({ name: `${one} a` }), makeGate({ name: `${one} b` })]);
  const page = await visit(`/gates?search=${encodeURIComponent(`${one} a`)}`);
  await page.getByLabel(`Select ${one} a`).click();
  await page.getByText('1 gate selected').waitFor();
  await go(page, `/gates?search=${encodeURIComponent(one)}`);
  await page.getByLabel(`Select ${one} b`).waitFor();
  expect(await page.getByText('1 gate selected').count()).toBe(0);
});

testPage('a disabled gate passes no one, and a launched one everyone', async () => {
  const one = unique('Moved');
  const make = (name: string) => makeGate({ name: `${one} ${name}`, rules: [everyone(10)] });
  const [off, launched] = await Promise.all(['a', 'b'].map(make));
  await api('PUT', `gates/${off.id}/disable`);
  await api('PUT', `gates/${launched.id}/launch`);
  const page = await visit(`/gates?sort=name&search=${encodeURIComponent(one)}`);
  // The rows of an earlier test stay on the shared page until these are read.
  await page.getByLabel(`Select ${one} b`).waitFor();
  expect(await page.locator('.bar-words').allInnerTexts()).toEqual(['no one', 'everyone']);
});

testPage('only the newest version is marked as current', async () => {
  const { id } = await makeGate();
  for (let nth = 0; nth < 20; nth++) await api('PATCH', `gates/${id}`, { description: `${nth}` });
  const page = await visit(`/gates/${id}/history`);
  await page.getByText('current', { exact: true }).waitFor();
  await button(page, 'Next page').click();
  await button(page, 'Restore version 1').waitFor();
});

testPage('a late search result does not leave another page', async () => {
  const { name } = await makeGate();
  const page = await visit('/gates');
  const { gone, letGo } = latch();
  await page.route('**/console/v1/gates?*', (route) => gone.then(() => route.continue()));
  const asked = page.waitForRequest(/\/gates\?/);
  await page.getByLabel('Search gates').fill(name);
  await page.keyboard.press('Enter');
  await asked;
  await page.getByRole('link', { name: 'Segments' }).click();
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
  const [late] = await Promise.all([page.waitForResponse(/\/gates\?/), letGo()]);
  await late.finished();
  await drawn(page);
  expect(new URL(page.url()).pathname).toBe('/segments');
});

testPage('a key expires at the end of the chosen day and has the scopes of its type', async () => {
  const page = await visit('/keys');
  const zone = await page.context().newCDPSession(page);
  await zone.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Vienna' });
  await button(page, 'New API key').click();
  await page.getByLabel('Name', { exact: true }).fill(unique('Until'));
  const day = page.getByLabel('Expires');
  const [asked] = await Promise.all([
    page.waitForRequest(
      (one) => one.method() === 'POST' && /expiresTime":\d/.test(one.postData() ?? ''),
    ),
    day.fill('2099-01-10'),
  ]);
  expect(asked.postDataJSON().expiresTime).toBe(Date.parse('2099-01-10T23:59:59.999+01:00'));
  expect(asked.postDataJSON().scopes).toEqual(['read']);
  expect(await day.inputValue()).toBe('2099-01-10');
  await page.getByLabel('Type', { exact: true }).selectOption('Server');
  await accepted(page);
  expect(await page.getByLabel('Download specs').isChecked()).toBe(true);
  await zone.detach();
});

testPage('an open tab keeps only the latest reads in memory', async () => {
  await makeGate();
  const page = await visit('/gates');
  await page.evaluate(`(async () => {
    for (let limit = 1; limit < 60; limit++) {
      history.pushState(null, '', '/gates?limit=' + limit);
      dispatchEvent(new PopStateEvent('popstate'));
      do await new Promise(requestAnimationFrame);
      while (document.querySelector('.loading, [aria-busy=true]'));
    }
  })()`);
  const heap = await page.context().newCDPSession(page);
  const { result } = await heap.send('Runtime.evaluate', { expression: 'Map.prototype' });
  const { objects } = await heap.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
  });
  const lists = '[...map.keys()].filter((key) => /^.gates.limit=/.test(key)).length';
  const kept = await heap.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () { return Math.max(...this.map((map) => ${lists})); }`,
    returnByValue: true,
  });
  expect(kept.result.value).toBeLessThanOrEqual(50);
  expect(kept.result.value).toBeGreaterThan(20);
  await heap.detach();
});

testPage('Go to displays that it loads, and that there are no results', async () => {
  const page = await visit('/gates');
  const { gone, letGo } = latch();
  await page.route('**/gates?search=*', async (route) => {
    await gone;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing-of-this-name');
  const said = page.getByRole('dialog').getByRole('status');
  await expect.poll(() => said.innerText()).toBe('Loading …');
  letGo();
  await expect.poll(() => said.innerText()).toBe('No results for “nothing-of-this-name”.');
});

testPage('audit log filters keep typed text until they lose the focus', async () => {
  const { id } = await makeGate();
  const page = await visit('/audit_logs');
  const field = page.getByLabel('ID', { exact: true });
  await field.fill(id);
  const read = page.waitForResponse(/audit_logs/);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await read;
  await drawn(page);
  expect(await field.inputValue()).toBe(id);
  await page.keyboard.press('Tab');
  await page.waitForURL(new RegExp(`id=${id}`));
  expect(await field.inputValue()).toBe(id);
});

testPage('audit log dates are labeled as UTC', async () => {
  const page = await visit('/audit_logs');
  const tops = [page.getByLabel('Kind'), page.getByLabel('From (UTC)'), page.getByLabel('To')].map(
    async (field) => Math.round((await field.boundingBox())?.y ?? 0),
  );
  const [first = 0, ...others] = await Promise.all(tops);
  for (const top of others) expect(Math.abs(top - first)).toBeLessThan(4);
});

testPage('a list opens with unknown parameters in its address', async () => {
  const { name } = await makeGate();
  const page = await visit(`/gates?utm_source=mail&fbclid=1&search=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name }).waitFor();
  expect(await page.locator('.note').count()).toBe(0);
  for (const path of ['/audit_logs', '/events', '/tags']) {
    await go(page, `${path}?utm_source=mail`);
    await expect.poll(() => page.locator('.loading, [aria-busy=true]').count()).toBe(0);
    expect(await page.locator('main h1').count()).toBe(1);
    expect(await page.locator('.note').count(), path).toBe(0);
  }
});

testPage('a list names the invalid filters of its address and ignores them', async () => {
  const { name } = await makeGate();
  const words = encodeURIComponent(name);
  const page = await visit(
    `/gates?status=Sleeping&sort=size&page=first&utm_source=mail&search=${words}`,
  );
  await page.getByRole('link', { name }).waitFor();
  const note = page.locator('.note');
  await note.getByText('A part of this address was ignored').waitFor();
  const said = (await note.locator('li').allInnerTexts()).map((line) => line.split(' ')[0]);
  expect(said.sort()).toEqual(['Page', 'Sort', 'Status']);
  await page.getByLabel('Status').selectOption('Disabled');
  await expect.poll(() => note.locator('li').count()).toBe(1); // another list begins at its first page
  await go(page, '/audit_logs?kind=nothing&startDate=soon');
  await expect.poll(() => note.locator('li').count()).toBe(2);
  await page.locator('.timeline').first().waitFor();
  await go(page, '/events?page=-1');
  await expect.poll(() => note.locator('li').count()).toBe(1);
});

testPage('a tag with a comma links to its entities', async () => {
  const tag = `${unique('Tea')}, ${unique('milk')}`;
  const { name } = await makeGate({ tags: [tag] });
  const other = await makeGate({ tags: [tag.split(',')[0]] });
  const page = await visit('/gates?sort=createdTime');
  await page.getByRole('link', { name: tag, exact: true }).click();
  await page.getByText(`Tag: ${tag}`).waitFor();
  await page.getByRole('link', { name }).waitFor();
  await expect.poll(() => page.locator('.row-of').count()).toBe(1);
  expect(await page.getByRole('link', { name: other.name }).count()).toBe(0);
});
