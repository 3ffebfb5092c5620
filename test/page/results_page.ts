import type { Page } from 'playwright-core';
import type { GroupExposures, Health } from '../../src/page/results/frame/api_types.ts';
import type { PulseResults } from '../../src/page/results/frame/types.ts';
import { api, go, unique, visit } from './browser.ts';
import {
  exposuresOf,
  goodResult,
  healthOf,
  pulseOf,
  resultOf,
  seriesOf,
  sparksOf,
} from './results_fixture.ts';

type Groups = { id: string; name: string }[];
type Answer = (groups: Groups, test: string) => unknown;

interface Served {
  groups?: string[];
  /** Changes of the experiment's response. */
  experiment?: (groups: Groups) => object;
  pulse?: (groups: Groups, test: string) => PulseResults;
  health?: (groups: Groups) => Health;
  exposures?: (groups: Groups) => GroupExposures[];
  slices?: Answer;
}

const dayLength = 86_400_000;
export const units = [12_018, 11_964, 11_991];

/** Two primary and four other metrics, one of each reading. */
export const typicalPulse = (): PulseResults => ({
  ...pulseOf(
    [resultOf()],
    [
      goodResult({ metricID: 'cart_viewed::event_count', metricName: 'Cart visits' }),
      resultOf({
        metricID: 'revenue::value',
        metricName: 'Revenue',
        percentChange: 3.6,
        percentConfidenceInterval: { lower: 0.4, upper: 6.8 },
        percentSequentialTestingConfidenceInterval: { lower: -1.2, upper: 8.4 },
      }),
    ],
  ),
  otherMetrics: [
    resultOf({
      metricID: 'tickets::event_count',
      metricName: 'Support tickets',
      directionality: 'decrease',
      percentChange: 9.8,
      percentConfidenceInterval: { lower: -6, upper: 25.6 },
    }),
  ],
});

/** The experiment as if it were on day 9 of 14. */
const onDayNine = () => ({
  startTime: Date.now() - 8.2 * dayLength,
  duration: 14,
  targetExposures: 37_300,
  preComputedUserDimensions: ['country'],
});

/** Opens the results of a started experiment; the responses about results are those given. */
export async function visitResults(served: Served = {}, options: Parameters<typeof visit>[1] = {}) {
  const names = served.groups ?? ['Control', 'Points offer'];
  const body = {
    name: unique('Loyalty offer'),
    hypothesis: 'A clear points offer in the cart raises the share of customers who join.',
    groups: names.map((name, index) => ({
      name,
      size:
        index === 0
          ? 100 - Math.floor(100 / names.length) * (names.length - 1)
          : Math.floor(100 / names.length),
      parameterValues: { offer: index },
    })),
    allocation: 100,
  };
  const { id } = await api('POST', 'experiments', body);
  await api('PUT', `experiments/${id}/start`);
  const page = await visit('/', options);
  const { groups }: { groups: Groups } = await api('GET', `experiments/${id}`);
  await serve(page, id, groups, served);
  const open = async (query = '') => {
    await go(page, `/experiments/${id}${query}`);
    await page
      .locator('.verdict')
      .waitFor({ timeout: 8000 })
      .catch(async (e) => {
        throw new Error(await page.locator('main').innerText(), { cause: e });
      });
  };
  await open();
  return { page, id, groups, open };
}

async function serve(page: Page, id: string, groups: Groups, served: Served) {
  const {
    pulse = typicalPulse,
    health = (all: Groups) => healthOf(all, units),
    exposures = (all: Groups) => exposuresOf(all, units),
    slices,
  } = served;
  const answers: Record<string, (query: URLSearchParams) => unknown> = {
    pulse_results: (query) => pulse(groups, query.get('test') ?? ''),
    health: () => health(groups),
    cumulative_exposures: () => exposures(groups),
    pulse_sparks: () => sparksOf(typicalPulse().primaryMetrics),
    pulse_series: (query) => {
      const view = query.get('view');
      const known = ['cumulative', 'daily', 'days_since_exposure'] as const;
      return seriesOf(query.get('metricID') ?? '', known.find((one) => one === view) ?? 'daily');
    },
    pulse_metric_result: (query) =>
      slices?.(groups, query.get('test') ?? '') ?? {
        ds: null,
        dimensionResults: ['DE', 'FR'].map((value, index) => ({
          dimension: 'country',
          dimension_value: value,
          metric: resultOf({ testUnits: 4_000 - index * 900, controlUnits: 4_000 - index * 900 }),
        })),
      },
  };
  for (const [name, answer] of Object.entries(answers))
    await page.route(`**/console/v1/experiments/${id}/${name}*`, (route) =>
      route.fulfill({
        json: { message: '', data: answer(new URL(route.request().url()).searchParams) },
      }),
    );
  await page.route(`**/console/v1/experiments/${id}`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    // The browser's secure cookie is not sent by `route.fetch`.
    const stored = await api('GET', `experiments/${id}`);
    const data = { ...stored, ...onDayNine(), ...served.experiment?.(groups) };
    return route.fulfill({
      headers: { ETag: `"${stored.version}"` },
      json: { message: '', data },
    });
  });
}
