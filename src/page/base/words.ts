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

/** Returns "3 hours ago" or "in 2 days". Tolerates a clock difference of 5 s. */
export function ago(time: number, now = Date.now()): string {
  const seconds = (time - now) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return seconds > 5 ? 'within a minute' : 'just now';
  return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** Returns "ends in 2 days". Overdue ends are applied within a minute. */
export const endsIn = (time: number) =>
  `ends ${time - Date.now() < 60_000 ? 'within a minute' : ago(time)}`;

/** Returns a duration in words; an invalid number unchanged. */
export function lasting(milliseconds: number): string {
  const hours = milliseconds / 3_600_000;
  if (milliseconds === 0) return 'no wait';
  if (Number.isNaN(hours)) return String(milliseconds);
  if (hours < 1) return count(Math.round(milliseconds / 6_000) / 10, 'minute');
  return hours < 48
    ? count(Math.round(hours * 10) / 10, 'hour')
    : count(Math.round(hours / 2.4) / 10, 'day');
}

/** Returns a time as ISO 8601; empty if invalid. */
export function isoOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const minute = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

function formatter(options: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat('en', options);
  return (time: unknown) =>
    time !== '' && isoOf(Number(time)) ? format.format(Number(time)) : String(time);
}

export const exactly = formatter({ ...minute, second: '2-digit' });
export const moment = formatter(minute);
export const dayOf = formatter(day);

/** Returns the browser's time zone, such as `Europe/Vienna`. */
export const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats a number, in exponential notation if very large or small. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.001 && size < 1e15)) return plain.format(value);
  return String(Number(value.toPrecision(4)));
}
/** Formats a percentage; an invalid one unchanged. */
export const percent = (value: unknown) =>
  typeof value === 'number' ? `${plain.format(value)}%` : String(value) || 'nothing';

/** Returns "2 changes" or "1 change". */
export const count = (size: number, one: string, many = `${one}s`) =>
  `${number(size)} ${size === 1 ? one : many}`;

/** Returns the name of an entity, or its ID. */
export const titleOf = ({ id, name, displayName }: Pick<Entity, 'id' | 'name' | 'displayName'>) =>
  displayName || name || id;

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

/** Isolates right-to-left text within a sentence. */
export const isolateText = (text: string) =>
  /[\u0590-\u08ff\u200f\u202a-\u202e\ufb1d-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;

/** Capitalizes a text. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const statuses: Record<string, string> = {
  assignment_stopped: 'Assignment stopped',
  experiment_stopped: 'Stopped',
  decision_made: 'Decided',
  WAITING_FOR_REVIEW: 'Waiting for review',
  pending: 'Waiting',
};

/** Returns "In progress" for `IN_PROGRESS`. */
export const statusInWords = (status: string) =>
  statuses[status] ?? capital(status.replaceAll('_', ' ').toLowerCase());

/** Returns "Monitoring metrics" for `monitoringMetrics`. */
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

/** Lowercases the first letter, except of an abbreviation. */
export const lower = (text: string) =>
  text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

const stepInWords = (step: string) => {
  if (step.includes(' ')) return step;
  return step === 'targetValue' ? 'value' : lower(nameOf(step));
};

const counted = /^(rule|condition|group|variant|parameter|phase|change)s$/;

/** Returns "Rule 1, condition 2, value" for `rules.0.conditions.1.targetValue`. */
export function placeOfProperty(property: string): string {
  const steps: string[] = [];
  for (const step of property.split('.')) {
    const list = steps.at(-1);
    if (list === undefined || !/^\d+$/.test(step)) steps.push(step);
    else steps.splice(-1, 1, `${stepInWords(list).replace(counted, '$1')} ${Number(step) + 1}`);
  }
  const text = steps.map(stepInWords).join(', ');
  return capital(text);
}
