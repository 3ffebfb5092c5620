import { expect } from 'vitest';
import { api, button, makeGate, testPage, unique, visit } from './browser.ts';
import { latch } from './editing.ts';

testPage('a page past the last of a list is the last', async () => {
  const { name } = await makeGate();
  const page = await visit(`/gates?search=${encodeURIComponent(name)}&page=999`);
  await page.getByRole('link', { name }).waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe(null);
});

testPage('from a page past the last, Back leads to where one was before', async () => {
  const { name } = await makeGate();
  const page = await visit('/segments');
  await page.goto(`/gates?search=${encodeURIComponent(name)}&page=999`);
  await page.getByRole('link', { name }).waitFor();
  await page.waitForURL((url) => !url.searchParams.has('page'));
  await page.goBack();
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/segments');
});

testPage('another page of a list begins at its top', async () => {
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

testPage('a page that there is not is not gone to, nor said to be shown', async () => {
  const answer = { data: [], pagination: { itemsPerPage: 50, pageNumber: 1, totalItems: 120 } };
  const page = await visit('/gates');
  await page.route('**/console/v1/gates?*', (route) => route.fulfill({ json: answer }));
  await page.goto('/gates');
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

testPage('a search that is answered late leads nowhere from another page', async () => {
  const { name } = await makeGate();
  const page = await visit('/gates');
  await page.route('**/console/v1/gates?*', async (route) => {
    await new Promise((go) => setTimeout(go, 1000));
    await route.continue();
  });
  await page.getByLabel('Search gates').fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Segments' }).click();
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
  await page.waitForTimeout(1500); // longer than the answer takes
  expect(new URL(page.url()).pathname).toBe('/segments');
});

testPage('a key ends with the day that is chosen, where one is', async () => {
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
  expect(await day.inputValue()).toBe('2099-01-10');
  await zone.detach();
});

testPage('Go to says that it looks, and where nothing is found', async () => {
  const page = await visit('/gates');
  const { gone, letGo } = latch();
  await page.route('**/gates?search=*', async (route) => {
    await gone;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing-of-this-name');
  const said = page.getByRole('dialog').getByRole('status');
  await expect.poll(() => said.innerText()).toBe('Looking …');
  letGo();
  await expect.poll(() => said.innerText()).toBe('Nothing is called “nothing-of-this-name”.');
});
