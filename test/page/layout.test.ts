import { expect } from 'vitest';
import {
  accepted,
  drawn as afterFrame,
  api,
  asJSON,
  button,
  closed,
  everyone,
  go,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { editing, latch, openRules, save, share } from './editing.ts';

testPage('tabs do not move when selected', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}`);
  const places = async () => {
    const boxes = (await page.locator('.tab').all()).map((tab) => tab.boundingBox());
    return (await Promise.all(boxes)).map((box) => box?.x);
  };
  const before = await places();
  await page.getByRole('link', { name: 'Overrides' }).click();
  await page.locator('.tab[aria-current]', { hasText: 'Overrides' }).waitFor();
  expect(await places()).toEqual(before);
});

testPage('tabs keep the focus', async () => {
  const page = await visit('/environments');
  await page.getByRole('link', { name: 'History' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.tab[aria-current]', { hasText: 'History' }).waitFor();
  await page.locator('.tab[aria-current]:focus').waitFor();
});

testPage('a condition fits in one line if there is room', async () => {
  const conditions = [
    { type: 'custom_field', field: 'plan', operator: 'any', targetValue: ['pro', 'team'] },
    { type: 'custom_field', field: 'roles', operator: 'array_contains_none', targetValue: ['x'] },
    { type: 'unit_id', customID: 'companyID', operator: 'none', targetValue: ['c-1'] },
  ];
  const { id } = await makeGate({ rules: [{ ...everyone(10), conditions }] });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  await page.locator('.condition').last().waitFor();
  for (const row of await page.locator('.condition').all()) {
    const box = await row.boundingBox();
    expect(box?.height).toBeLessThan(36);
  }
});

/** Returns the rendered colors as RGB. */
const drawn = (selector: string, property: string) => `(() => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return [...document.querySelectorAll('${selector}')].map((element) => {
    pen.fillStyle = getComputedStyle(element).${property};
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
})()`;

/** As defined by WCAG 2.2. */
const luminance = (colour: number[]) => {
  const linear = (part = 0) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = colour;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

const contrast = (one: number[], other: number[]) => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const far = (one: number[], other: number[]) =>
  Math.hypot(...one.map((part, index) => part - (other[index] ?? 0)));

testPage.for(['light', 'dark'] as const)(
  'ten groups have ten distinguishable colors: %s',
  async (scheme) => {
    const groups = Array.from({ length: 10 }, (_, n) => ({ name: `Group ${n}`, size: 10 }));
    const { id } = await api('POST', 'experiments', { name: unique('Colours'), groups });
    const page = await visit(`/experiments/${id}/design`, { scheme });
    await asJSON(page);
    await page.locator('.swatch').last().waitFor();
    const [ground = []]: number[][] = await page.evaluate(drawn('.card', 'backgroundColor'));
    const colours: number[][] = await page.evaluate(drawn('.swatch', 'backgroundColor'));
    expect(await page.evaluate(drawn('.split-part', 'fill'))).toEqual(colours);
    expect(colours.length).toBe(10);
    for (const [index, colour] of colours.entries()) {
      expect([index, contrast(colour, ground) >= 3]).toEqual([index, true]);
      for (const other of colours.slice(0, index)) expect(far(colour, other)).toBeGreaterThan(40);
    }
  },
);

testPage('printing shows only the page, in light colors', async () => {
  const page = await visit('/gates', { scheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  const looks: string[] = await page.evaluate(`[
    getComputedStyle(document.documentElement).colorScheme,
    getComputedStyle(document.querySelector('.side')).display,
  ]`);
  await page.emulateMedia({ media: null });
  expect(looks).toEqual(['light', 'none']);
});

testPage('selections are visible with forced colors', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}`);
  await page.emulateMedia({ forcedColors: 'active' });
  const looks = (selector: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
  const line = 'borderBottomColor';
  expect(await looks('.tab[aria-current]', line)).not.toBe(
    await looks('.tab:not([aria-current])', line),
  );
  expect(await looks('.nav-link[aria-current]', 'outlineStyle')).toBe('solid');
  expect(await looks('.nav-link:not([aria-current])', 'outlineStyle')).toBe('none');
  const disabled = '.button-icon[aria-disabled]';
  await page.getByRole('button', { name: 'A share of everyone' }).click();
  expect(await looks(disabled, 'color')).not.toBe(await looks('.rules-add .button', 'color'));
  await page.getByRole('link', { name: 'Gates', exact: true }).first().click();
  await page.locator('.row-of input').first().click();
  expect(await looks('.row-of-chosen', 'outlineStyle')).toBe('solid');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('gate');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await looks('.combo-item[aria-selected=true]', 'outlineStyle')).toBe('solid');
  await go(page, '/experiments/checkout_button');
  await page.locator('.stage[aria-current]').waitFor();
  expect(await looks('.stage[aria-current]', 'borderTopColor')).not.toBe(
    await looks('.stage:not([aria-current])', 'borderTopColor'),
  );
});

testPage('the discard confirmation does not move the next button', async () => {
  const { page } = await editing();
  await page.setViewportSize({ width: 320, height: 640 });
  const before = await button(page, /^Review/).boundingBox();
  await button(page, 'Discard').click();
  await button(page, 'Discard changes?').waitFor();
  expect(await button(page, /^Review/).boundingBox()).toEqual(before);
});

testPage('the save button is visible in small windows', async () => {
  const { page } = await editing();
  await page.setViewportSize({ width: 320, height: 256 });
  await button(page, /^Review/).click();
  await accepted(page);
  const { y = 0, height = 0 } = (await button(page, /^Save/).boundingBox()) ?? {};
  expect(y + height).toBeLessThan(256);
});

testPage('late data does not move the page', async () => {
  const page = await visit('/gates');
  await page.reload();
  await page.locator('h1').waitFor();
  const held = latch();
  await page.route('**/wh_connections', (route) => held.gone.then(() => route.continue()));
  await page.evaluate(`
    window.shift = 0;
    window.addShifts = (entries) => {
      for (const entry of entries) if (!entry.hadRecentInput) window.shift += entry.value;
    };
    window.shifts = new PerformanceObserver((list) => addShifts(list.getEntries()));
    window.shifts.observe({ type: 'layout-shift', buffered: true });
  `);
  await page.evaluate('document.querySelector(\'a[href="/connections"]\').click()');
  await page.locator('.loading').waitFor();
  held.letGo();
  await page.getByRole('heading', { name: 'Snowflake' }).waitFor();
  await page.getByRole('heading', { name: 'Ingestion sources' }).waitFor();
  await afterFrame(page);
  expect(await page.evaluate('addShifts(shifts.takeRecords()), shift')).toBeLessThan(0.01);
});

const belowNotes = `[...document.querySelectorAll('main .note')].map((note) =>
  note.nextElementSibling.getBoundingClientRect().top - note.getBoundingClientRect().bottom)`;

testPage('notes have a distance from the next element', async () => {
  const { gate, page } = await editing();
  await button(page, /^Review/).click();
  await button(page, 'Add to change set').click();
  await api('PUT', `gates/${gate.id}/archive`, {});
  await go(page, '/changes');
  await page.getByText('Remove the outdated change').waitFor();
  const ofSet: number[] = await page.evaluate(belowNotes);
  expect(ofSet.length).toBe(2);
  await go(page, `/gates/${gate.id}`);
  await page.getByText('Unarchive to make changes.').waitFor();
  expect(Math.min(...ofSet, ...(await page.evaluate<number[]>(belowNotes)))).toBeGreaterThan(8);
});

testPage('read errors have a distance from the data', async () => {
  const page = await visit('/');
  const server = '**/console/v1/**';
  for (const path of [
    '/gates',
    '/gates/employees',
    '/gates/employees/history',
    '/audit_logs',
    '/events',
  ]) {
    await go(page, path);
    await page.route(server, (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.locator('main .note').first().waitFor();
    const distances: number[] = await page.evaluate(belowNotes);
    expect([path, Math.min(...distances) > 8]).toEqual([path, true]);
    await page.unroute(server);
  }
});

/** Whether two elements overlap. */
const meet = `(one, other) => {
  const [a, b] = [one, other].map((element) => document.querySelector(element).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}`;

testPage.for([1280, 390])(
  'messages cover no button of the head or save bar: %s px',
  async (width) => {
    const { page } = await editing();
    await page.setViewportSize({ width, height: 860 });
    await button(page, /^Review/).click();
    await accepted(page);
    await save(page);
    await page.locator('.toast').waitFor();
    await closed(page);
    expect(await page.evaluate(`(${meet})('.toast', '.head-actions')`)).toBe(false);
    await share(page).fill('60');
    await button(page, /^Review/).waitFor();
    expect(await page.evaluate(`(${meet})('.toast', '.dock')`)).toBe(false);
    expect(await page.evaluate(`(${meet})('.toast', '.side-toggle')`)).toBe(false);
  },
);

const laidOut = `['li:first-child .rule > div', 'li:last-child .rule > div'].map((rule) =>
  document.querySelector(rule).checkVisibility({ contentVisibilityAuto: true }))`;

testPage(
  'rules outside the viewport are not laid out, and suggestions are not clipped',
  async () => {
    const conditions = [{ type: 'country', operator: 'any', targetValue: ['DE'] }];
    const rules = Array.from({ length: 12 }, (_, index) => ({
      name: `Rule ${index}`,
      passPercentage: 50,
      conditions: Array.from({ length: 20 }, () => conditions).flat(),
    }));
    const { id } = await makeGate({ rules });
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await page.getByLabel('Name of rule 12').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    const ends = () => page.evaluate(laidOut);
    await expect.poll(ends).toEqual([true, false]);
    await page.getByLabel('Environments of rule 12').focus();
    await expect.poll(ends).toEqual([false, true]);
    const listed = page.locator('.combo-item').last();
    await listed.scrollIntoViewIfNeeded();
    const box = await listed.boundingBox();
    const rule = await page.locator('.rule').last().boundingBox();
    expect(box && rule && box.y + box.height > rule.y + rule.height).toBe(true);
    await listed.click();
    await page.locator('.token').last().waitFor();
    await page.getByLabel('Environments of rule 3', { exact: true }).focus();
    await afterFrame(page);
    await page.keyboard.press('Tab');
    const next = await page.getByLabel('Name of rule 4', { exact: true }).boundingBox();
    expect(next && next.y > 0 && next.y < 860, `the focus is at ${next?.y} px`).toBe(true);
  },
);
