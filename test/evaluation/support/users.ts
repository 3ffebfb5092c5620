import { agents } from './agents.ts';
import { pick } from './random.ts';

const words = ['alpha', 'Beta', 'gamma', 'DELTA', 'epsilon', 'Zoë 🗻', 'u-7'];
const versions = ['1.2.3', '2.0', '2', '10.15.7', '16.2.1-beta', '1.10', '0.9.9.9'];
const times = [
  1_781_524_800_000,
  1_781_524_800,
  '1781524800000',
  '2026-06-15T08:30:00Z',
  '2026-06-16T00:00:00Z',
  '2025-12-31T23:59:59Z',
];
const colours = ['red', 'green', 'blue', 'Blue'];

type Make = (random: () => number) => unknown;

const oneOf =
  (...from: unknown[]): Make =>
  (random) =>
    pick(random, from);

const number =
  (below: number, prefix = ''): Make =>
  (random) =>
    `${prefix}${Math.floor(random() * below)}`;

/** The values of users, by place. */
const places: Record<string, Record<string, Make>> = {
  fields: {
    userID: (random) => `u-${Math.floor(random() * (random() < 0.2 ? 10 : 1_000_000))}`,
    email: (random) => `${pick(random, words)}@${pick(random, ['example.com', 'Test.org'])}`,
    ip: oneOf(
      ...['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.1', '192.0.2.44', '2001:db8::1'],
      ...['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0:0:0:0:1', '2001:db8::2'],
    ),
    userAgent: oneOf(...agents),
    country: oneOf('DE', 'de', 'FR', 'US'),
    locale: oneOf('en_US', 'de_DE', 'EN_us'),
    appVersion: oneOf(...versions),
  },
  customIDs: {
    companyID: number(50, 'c-'),
    stableID: number(1000, 's-'),
  },
  custom: {
    plan: oneOf(...words, ''),
    age: oneOf(17, 18, 30, 30.5, 42, '29', '1e2', -3),
    release: oneOf(...versions),
    joined: oneOf(...times),
    labels: (random) => colours.filter(() => random() < 0.5),
    isStaff: oneOf(true, false),
    device_model: oneOf(...words),
  },
  privateAttributes: {
    url: (random) => `https://example.com/${pick(random, words)}`,
    os_name: oneOf('Android', 'Mac OS X'),
  },
};

const has = (random: () => number, name: string) => random() < (name === 'os_name' ? 0.1 : 0.8);

export const tiers = ['production', 'staging', 'development'] as const;

/** A user as sent by an SDK. */
export interface GeneratedUser {
  userID?: string;
  customIDs: Record<string, string>;
  statsigEnvironment: { tier: (typeof tiers)[number] };
  [field: string]: unknown;
}

/** A user with a random selection of values. */
export function generateUser(random: () => number): GeneratedUser {
  const made = Object.entries(places).map(([place, makes]) => {
    const values = Object.entries(makes)
      .filter(([name]) => has(random, name))
      .map(([name, make]) => [name, make(random)]);
    return [place, Object.fromEntries(values)];
  });
  const { fields, ...rest } = Object.fromEntries(made);
  // SDKs require an ID; no entity uses this type.
  const customIDs = { visitorID: 'v-1', ...rest.customIDs };
  return { ...fields, ...rest, customIDs, statsigEnvironment: { tier: pick(random, tiers) } };
}
