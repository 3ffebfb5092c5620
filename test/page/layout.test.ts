import { expect } from 'vitest';
import {
  accepted,
  api,
  button,
  closed,
  everyone,
  go,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { editing, save, share } from './editing.ts';

testPage('tabs stay where they are, whichever is chosen', async () => {
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

testPage('tabs keep the focus, also of what there is just one of', async () => {
  const page = await visit('/environments');
  await page.getByRole('link', { name: 'History' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.tab[aria-current]', { hasText: 'History' }).waitFor();
  await page.locator('.tab[aria-current]:focus').waitFor();
});

testPage('a condition stands in one line where there is room for it', async () => {
  const conditions = [
    { type: 'custom_field', field: 'plan', operator: 'any', targetValue: ['pro', 'team'] },
    { type: 'custom_field', field: 'roles', operator: 'array_contains_none', targetValue: ['x'] },
    { type: 'unit_id', customID: 'companyID', operator: 'none', targetValue: ['c-1'] },
  ];
  const { id } = await makeGate({ rules: [{ ...everyone(10), conditions }] });
  const page = await visit(`/gates/${id}`);
  await page.locator('.condition').last().waitFor();
  for (const row of await page.locator('.condition').all()) {
    const box = await row.boundingBox();
    expect(box?.height).toBeLessThan(36);
  }
});

/** The colours of some elements as they are drawn, each as three parts from 0 to 255. */
const drawn = (selector: string, property: string) => `(() => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return [...document.querySelectorAll('${selector}')].map((element) => {
    pen.fillStyle = getComputedStyle(element).${property};
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
})()`;

/** How light a colour is, as WCAG 2.2 has it. */
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
  'ten groups have ten colours, which stand out from their ground and from each other: %s',
  async (scheme) => {
    const groups = Array.from({ length: 10 }, (_, n) => ({ name: `Group ${n}`, size: 10 }));
    const { id } = await api('POST', 'experiments', { name: unique('Colours'), groups });
    const page = await visit(`/experiments/${id}`, { scheme });
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

testPage('on paper stands the page alone, in light colours', async () => {
  const page = await visit('/gates', { scheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  const looks: string[] = await page.evaluate(`[
    getComputedStyle(document.documentElement).colorScheme,
    getComputedStyle(document.querySelector('.side')).display,
  ]`);
  await page.emulateMedia({ media: null });
  expect(looks).toEqual(['light', 'none']);
});

testPage('what is chosen is told apart where the system forces its colours', async () => {
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

testPage('what asks whether to discard leaves the button beside it where it is', async () => {
  const { page } = await editing();
  await page.setViewportSize({ width: 320, height: 640 });
  const before = await button(page, /^Review/).boundingBox();
  await button(page, 'Discard').click();
  await button(page, 'Discard changes?').waitFor();
  expect(await button(page, /^Review/).boundingBox()).toEqual(before);
});

testPage('what stores is in sight, however small the window is', async () => {
  const { page } = await editing();
  await page.setViewportSize({ width: 320, height: 256 });
  await button(page, /^Review/).click();
  await accepted(page);
  const { y = 0, height = 0 } = (await button(page, /^Save/).boundingBox()) ?? {};
  expect(y + height).toBeLessThan(256);
});

testPage('what is read late moves nothing that is read', async () => {
  const page = await visit('/gates');
  await page.reload(); // what moved before counts, too
  await page.locator('h1').waitFor();
  await page.route('**/wh_connections', async (route) => {
    await new Promise((settled) => setTimeout(settled, 600));
    await route.continue();
  });
  await page.evaluate(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await page.evaluate('document.querySelector(\'a[href="/connections"]\').click()');
  await page.getByRole('heading', { name: 'Snowflake' }).waitFor();
  await page.getByRole('heading', { name: 'Ingestion sources' }).waitFor();
  await page.waitForTimeout(200); // until it is told of
  expect(await page.evaluate('window.shift')).toBeLessThan(0.01);
});

/** How far below a note the next thing begins, in pixels. */
const belowNotes = `[...document.querySelectorAll('main .note')].map((note) =>
  note.nextElementSibling.getBoundingClientRect().top - note.getBoundingClientRect().bottom)`;

testPage('a note keeps its distance from what stands below it', async () => {
  const { gate, page } = await editing();
  await button(page, /^Review/).click();
  await button(page, 'Add to change set').click();
  await api('PUT', `gates/${gate.id}/archive`, {});
  await go(page, '/changes');
  await page.getByText('Take out what is not the newest').waitFor();
  const ofSet: number[] = await page.evaluate(belowNotes);
  expect(ofSet.length).toBe(2);
  await go(page, `/gates/${gate.id}`);
  await page.getByText('Bring it back to change it.').waitFor();
  expect(Math.min(...ofSet, ...(await page.evaluate<number[]>(belowNotes)))).toBeGreaterThan(8);
});

testPage('why something could not be read anew keeps its distance from what is known', async () => {
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

/** Whether two elements stand over each other. */
const meet = `(one, other) => {
  const [a, b] = [one, other].map((element) => document.querySelector(element).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}`;

testPage.for([1280, 390])(
  'what is said for a while stands over no button of the head or the dock: %s px',
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

/** Whether the first and the last of the rules of a page are laid out. */
const laidOut = `['.rule:first-child > div', '.rule:last-child > div'].map((rule) =>
  document.querySelector(rule).checkVisibility({ contentVisibilityAuto: true }))`;

testPage('of many rules those in sight are laid out, and no list is cut off by one', async () => {
  const conditions = [{ type: 'country', operator: 'any', targetValue: ['DE'] }];
  const rules = Array.from({ length: 12 }, (_, index) => ({
    name: `Rule ${index}`,
    passPercentage: 50,
    conditions: Array.from({ length: 20 }, () => conditions).flat(),
  }));
  const { id } = await makeGate({ rules });
  const page = await visit(`/gates/${id}`);
  await page.getByLabel('Name of rule 12').waitFor();
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
  await page.waitForTimeout(200); // until what came to sight is laid out
  await page.keyboard.press('Tab');
  const next = await page.getByLabel('Name of rule 4', { exact: true }).boundingBox();
  expect(next && next.y > 0 && next.y < 860, `the focus is at ${next?.y} px`).toBe(true);
});
