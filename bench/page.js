// `npm run bench:page`: measures how long the browser takes to draw a scorecard of many metrics, and to respond to clicks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makeVariables, rootKey } from '../scripts/dev/variables.js';
import { buildPage } from '../scripts/page/build.js';
import { findChromium, howToGet, options } from '../scripts/page/chromium.js';
import { offline, readOptions } from '../scripts/tool.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').CDPSession} Session */

const usage = `npm run bench:page takes: --
  --metrics <number>  metrics of the scorecard; default: 50
  --groups <number>   groups besides the control; default: 3
  --rate <number>     how many times slower the processor is; default: 4
  --times <number>    measurements, of which the median is printed; default: 5`;

const values = readOptions(usage, {
  metrics: { type: 'string', default: '50' },
  groups: { type: 'string', default: '3' },
  rate: { type: 'string', default: '4' },
  times: { type: 'string', default: '5' },
});
const metrics = Number(values.metrics);
const rate = Number(values.rate);
const times = Number(values.times);

/**
 * Calls the API, and returns `data`.
 * @param {string} origin
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function call(origin, path, init = {}) {
  const headers = { 'SERVICE-API-KEY': rootKey('.'), 'Content-Type': 'application/json' };
  const response = await fetch(`${origin}/console/v1/${path}`, { ...init, headers });
  const { message, data } = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`${path}: ${message}`);
  return data;
}

/** @param {string} origin */
async function makeExperiment(origin) {
  const count = Number(values.groups) + 1;
  const { id } = await call(origin, 'experiments', {
    method: 'POST',
    body: JSON.stringify({
      name: 'Many metrics',
      groups: Array.from({ length: count }, (_, index) => ({
        name: `Group ${index}`,
        size: index === 0 ? 100 - Math.floor(100 / count) * (count - 1) : Math.floor(100 / count),
      })),
    }),
  });
  await call(origin, `experiments/${id}/start`, { method: 'PUT', body: '{}' });
  return id;
}

/**
 * Serves many results, each like one of the sample project.
 * @param {Page} page
 * @param {string} origin
 * @param {string} id
 */
async function serveResults(page, origin, id) {
  const known = 'experiments/delivery_estimate';
  const { groups } = await call(origin, known);
  const [control, test] = groups.map((/** @type {{ id: string }} */ group) => group.id);
  const pair = new URLSearchParams({ control, test });
  const sample = await call(origin, `${known}/pulse_results?${pair}`);
  const [metric] = sample.primaryMetrics;
  const results = Array.from({ length: metrics }, (_, index) => {
    const percentChange = ((index * 37) % 190) / 10 - 8;
    const around = (/** @type {number} */ by) => ({
      lower: percentChange - by,
      upper: percentChange + by,
    });
    return {
      ...metric,
      metricID: `metric_${index}::${index % 2 === 0 ? 'sum' : 'event_user'}`,
      metricName: `Metric ${index}`,
      percentChange,
      significant: index % 3 === 0,
      percentConfidenceInterval: around(4),
      percentSequentialTestingConfidenceInterval: around(7),
    };
  });
  const data = {
    ...sample,
    primaryMetrics: results.slice(0, 4),
    secondaryMetrics: results.slice(4, Math.floor(metrics / 2)),
    otherMetrics: results.slice(Math.floor(metrics / 2)),
  };
  await page.route(`**/experiments/${id}/pulse_results*`, (route) =>
    route.fulfill({ json: { message: '', data } }),
  );
}

/** @param {Session} session */
async function spent(session) {
  const { metrics: all } = await session.send('Performance.getMetrics');
  const of = (/** @type {string} */ name) =>
    1000 * (all.find((one) => one.name === name)?.value ?? 0);
  const layout = of('LayoutDuration') + of('RecalcStyleDuration');
  return { script: of('ScriptDuration'), layout, all: of('TaskDuration') };
}

const median = (/** @type {number[]} */ numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * Measures the time of the processor that an action takes: of scripts, of style and layout, in all, and until the next
 * frame. Other processes do not change it.
 * @param {Page} page
 * @param {Session} session
 * @param {string} act
 */
async function measure(page, session, act) {
  const before = await spent(session);
  await page.evaluate(`{ ${act} }
    new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))`);
  const frame = await spent(session);
  await ready(page);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(300);
  const after = await spent(session);
  return {
    script: after.script - before.script,
    layout: after.layout - before.layout,
    all: after.all - before.all,
    frame: frame.all - before.all,
  };
}

const click = (/** @type {string} */ selector) =>
  `document.querySelector(${JSON.stringify(selector)}).click();`;

const choose = (/** @type {string} */ selector, /** @type {string} */ option) =>
  `const field = document.querySelector(${JSON.stringify(selector)});
   field.value = ${JSON.stringify(option)};
   field.dispatchEvent(new Event('change', { bubbles: true }));`;

const visit = (/** @type {string} */ address) =>
  `history.pushState(null, '', ${JSON.stringify(address)});
   dispatchEvent(new PopStateEvent('popstate'));`;

/** Waits without the polling of Playwright, which would be measured, too. */
const ready = (/** @type {Page} */ page) =>
  page.evaluate(`new Promise((done) => {
    const look = () =>
      document.querySelectorAll('.sc .iv').length >= ${metrics} ? done() : setTimeout(look, 20);
    look();
  })`);

const sequential = '[aria-label="Sequential testing"]';

/**
 * @param {Page} page
 * @param {Session} session
 * @param {string} origin
 * @param {string} address
 */
async function measureOnce(page, session, origin, address) {
  await page.goto(`${origin}/experiments`);
  await page.waitForLoadState('networkidle');
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  const draw = await measure(page, session, visit(address));
  const open = await measure(page, session, click('.sc-caret[aria-expanded=false]'));
  const close = await measure(page, session, click('.sc-caret[aria-expanded=true]'));
  await page.getByText('Change', { exact: true }).first().click();
  const change = await measure(page, session, choose(sequential, 'true'));
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return { draw, 'open a row': open, 'close it': close, 'switch sequential': change };
}

const executablePath = findChromium();
if (!executablePath) {
  process.stderr.write(`${howToGet.replace('npm test', 'npm run bench:page')}\n`);
  process.exit(1);
}

Object.assign(process.env, offline);
makeVariables('.');
const { prepareDatabase } = await import('../scripts/dev/prepare.js');
const { runsForResults } = await import('../scripts/dev/sample.js');
const { inARow, startServer } = await import('../scripts/dev/server.js');
const folder = mkdtempSync(join(tmpdir(), 'bench-page-'));
await buildPage('src/assets/page');
await prepareDatabase(folder);
const server = await startServer(folder, 0);
const browser = await chromium.launch({ ...options, executablePath });
try {
  const origin = `http://localhost:${await server.port()}`;
  await inARow(runsForResults, server.runScheduled);
  const id = await makeExperiment(origin);
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(origin);
  await page.getByLabel('API key').fill(rootKey('.'));
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();
  await serveResults(page, origin, id);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  /** @type {Awaited<ReturnType<typeof measureOnce>>[]} */
  const runs = [];
  for (let run = 0; run < times; run++)
    runs.push(await measureOnce(page, session, origin, `/experiments/${id}`));
  const names = /** @type {(keyof typeof runs[0])[]} */ (Object.keys(runs[0] ?? {}));
  process.stdout.write(
    `${metrics} metrics × ${values.groups} groups, processor ÷ ${rate}, median of ${times}, in ms of processor time\n`,
  );
  for (const name of names) {
    const of = (/** @type {'script' | 'layout' | 'all' | 'frame'} */ part) =>
      String(Math.round(median(runs.map((run) => run[name][part] ?? 0)))).padStart(6);
    process.stdout.write(
      `  ${name.padEnd(18)} script ${of('script')}  style and layout ${of('layout')}  all work ${of('all')}, until the next frame ${of('frame')}\n`,
    );
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
