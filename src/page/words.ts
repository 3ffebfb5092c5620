import type { Entity } from './types.ts';

const relative = new Intl.RelativeTimeFormat('en');
const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** "3 hours ago", "in 2 days"; clocks may differ by some seconds. */
export function ago(time: number, now = Date.now()): string {
  const seconds = (time - now) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return seconds > 5 ? 'within a minute' : 'just now';
  return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** When something ends that goes on still: the clock ends it within a minute of its time. */
export const endsIn = (time: number) =>
  `ends ${time - Date.now() < 60_000 ? 'within a minute' : ago(time)}`;

/** How long a phase lasts; what is no number of milliseconds, as it may be while it is typed, as it stands. */
export function lasting(milliseconds: number): string {
  const hours = milliseconds / 3_600_000;
  if (milliseconds === 0) return 'no wait';
  if (Number.isNaN(hours)) return String(milliseconds);
  if (hours < 1) return count(Math.round(milliseconds / 6_000) / 10, 'minute');
  return hours < 48
    ? count(Math.round(hours * 10) / 10, 'hour')
    : count(Math.round(hours / 2.4) / 10, 'day');
}

/** A time, as ISO 8601 has it; empty for what is none. */
export function isoOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const minute = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** Returns a function that formats epoch milliseconds; it returns anything else, such as nanoseconds, unchanged. */
function saidBy(options: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat('en', options);
  return (time: unknown) =>
    time !== '' && isoOf(Number(time)) ? format.format(Number(time)) : String(time);
}

export const exactly = saidBy({ ...minute, second: '2-digit' });
/** A moment within a sentence. */
export const moment = saidBy(minute);
export const dayOf = saidBy(day);

/** The time zone in which this browser shows and reads times, such as `Europe/Vienna`. */
export const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A number; one that would be a row of zeros, by its powers of ten. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.001 && size < 1e15)) return plain.format(value);
  return String(Number(value.toPrecision(4)));
}
/** A share; what is none, as it may be while it is typed, as it stands. */
export const percent = (value: unknown) =>
  typeof value === 'number' ? `${plain.format(value)}%` : String(value) || 'nothing';

/** `2 changes`, `1 change`. */
export const count = (size: number, one: string, many = `${one}s`) =>
  `${number(size)} ${size === 1 ? one : many}`;

/** What it is called: experiments, read alone, have no name. */
export const titleOf = ({ id, name, displayName }: Pick<Entity, 'id' | 'name' | 'displayName'>) =>
  displayName || name || id;

/** Names of properties that their own words do not make. */
const properties = new Map(
  Object.entries({
    idType: 'ID type',
    isActive: 'Active',
    isEnabled: 'On',
    isGlobal: 'Add new gates',
    inlineTargetingRulesJSON: 'Targeting rules',
    targetingGateID: 'Targeting gate',
    layerID: 'Layer',
    teamID: 'Team ID',
    controlGroupID: 'Control group',
    launchedGroupID: 'Launched group',
    defaultConfidenceInterval: 'Confidence',
    defaultValueJson5: 'Default value (JSON5)',
    schemaJson5: 'Schema (JSON5)',
    ids: 'IDs',
    bigquery: 'BigQuery',
    oauthClientID: 'OAuth client ID',
    gateIDs: 'Gates',
    experimentIDs: 'Experiments',
    layerIDs: 'Layers',
    dynamicConfigIDs: 'Dynamic configs',
    promptIDs: 'Prompts',
    targetAppIDs: 'Target apps',
    expiresTime: 'Expires',
    hash: 'Key',
    groupID: 'Group',
    parameterValues: 'Values',
    size: 'Share',
  }),
);

/** A text within a sentence: one that is written from the right turns nothing but itself around. */
export const apart = (text: string) =>
  /[\u0590-\u08ff\u200f\u202a-\u202e\ufb1d-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;

/** A text that begins with a capital letter. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Statuses that their own words do not say. */
const statuses: Record<string, string> = {
  assignment_stopped: 'Assignment stopped',
  experiment_stopped: 'Stopped',
  decision_made: 'Decided',
  WAITING_FOR_REVIEW: 'Waiting for review',
  pending: 'Waiting',
};

/** `IN_PROGRESS` → "In progress". */
export const statusInWords = (status: string) =>
  statuses[status] ?? capital(status.replaceAll('_', ' ').toLowerCase());

/** `monitoringMetrics` → "Monitoring metrics". */
export function nameOf(property: string): string {
  const own = properties.get(property);
  if (own) return own;
  const words = property
    .replace(/Ms$/, '')
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z](?!s\b)[a-z])/g, '$1 $2')
    .replace(/ ([A-Z])(?=[a-z]| |$)/g, (_, letter: string) => ` ${letter.toLowerCase()}`)
    .replace(/\b(arn|id|sql|ssh|url)\b/gi, (letters) => letters.toUpperCase());
  return capital(words);
}

/** A sentence's beginning within a sentence; what is all capitals stays. */
export const lower = (text: string) =>
  text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** A step of a place in words; one that has been counted is words already. */
const wordOf = (step: string) => {
  if (step.includes(' ')) return step;
  return step === 'targetValue' ? 'value' : lower(nameOf(step));
};

/** Lists whose items are called as the list is, without its last letter. */
const counted = /^(rule|condition|group|variant|parameter|phase|change)s$/;

/** A place in a body as people count: `rules.0.conditions.1.targetValue` → "Rule 1, condition 2, value". */
export function placeOf(property: string): string {
  const steps: string[] = [];
  for (const step of property.split('.')) {
    const list = steps.at(-1);
    if (list === undefined || !/^\d+$/.test(step)) steps.push(step);
    else steps.splice(-1, 1, `${wordOf(list).replace(counted, '$1')} ${Number(step) + 1}`);
  }
  const text = steps.map(wordOf).join(', ');
  return capital(text);
}
