import { laidOut } from './json_text.ts';
import { count, isolateText, statusInWords } from './words.ts';

type Sign = '+' | '-' | '±';

export interface Difference {
  sign: Sign;
  text: string;
  lines?: { sign: '+' | '-'; text: string }[];
}

export const derived = new Set([
  'version',
  'createdTime',
  'creatorID',
  'creatorName',
  'creatorEmail',
  'lastModifiedTime',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'typeReason',
  'isStale',
  'checksPerHour',
  'archivedFrom',
  'forceArchive',
  'healthChecks',
  'healthCheckStatus',
  'count',
  'lineage',
  'isStarted',
  'baseID',
  'allocatedBuckets',
  'assignmentStopTime',
  'currentPhaseID',
  'actions',
  'ruleTimes',
  'phaseTime',
  'remainingMs',
]);

/** Whether a value is a list of strings. */
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Returns a value as one line. */
export function valueInWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length === 0) return 'nothing';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.join(', ');
  return JSON.stringify(value);
}

const free = new Set([
  'defaultValue',
  'returnValue',
  'parameterValues',
  'json',
  'value',
  'pass_value',
  'fail_value',
]);

/** Whether a property contains arbitrary JSON. */
export const isFree = (property: string) => free.has(property);

/** Returns a value as JSON; a text of several lines unchanged. */
export const jsonOf = (value: unknown) =>
  typeof value === 'string' && value.includes('\n') ? value : JSON.stringify(value);

const isRawType = (property: string, value: string) =>
  property === 'type' && /^[A-Z_]+$/.test(value);

/** Formats a value by its property: JSON, minutes or a status. */
export function valueIn(property: string, value: unknown) {
  if (property.endsWith('Ms') && typeof value === 'number') return count(value / 60_000, 'minute');
  if (typeof value === 'string' && (/status$/i.test(property) || isRawType(property, value)))
    return statusInWords(value);
  return isFree(property) ? jsonOf(value) : value;
}

/** Returns a name in quotation marks. */
export const quoted = (name: unknown) => `“${isolateText(String(name))}”`;

const isShort = (text: string) => text.length <= 40 && !text.includes('\n');

const valueLines = (value: unknown): string[] =>
  value === undefined || value === null || value === ''
    ? []
    : laidOut(valueInWords(value)).split('\n');

function inLines(old: unknown, now: unknown): Difference['lines'] {
  const [before, after] = [valueLines(old), valueLines(now)];
  const maxCommon = Math.min(before.length, after.length);
  let begin = 0;
  while (begin < maxCommon && before[begin] === after[begin]) begin++;
  let end = 0;
  while (end < maxCommon - begin && before.at(-1 - end) === after.at(-1 - end)) end++;
  const between = (lines: string[]) => lines.slice(begin, lines.length - end);
  return [
    ...between(before).map((text) => ({ sign: '-' as const, text })),
    ...between(after).map((text) => ({ sign: '+' as const, text })),
  ];
}

/** Collapses spaces, which browsers do not display. */
const collapsed = (value: unknown) => valueInWords(value).split(/ +/).filter(Boolean).join(' ');

/** Describes a changed value, as JSON if both values look the same. */
export function changeOf(name: string, from: unknown, to: unknown): Difference {
  const [old, now] = collapsed(from) === collapsed(to) ? [jsonOf(from), jsonOf(to)] : [from, to];
  const [before, after] = [valueInWords(old), valueInWords(now)];
  if (isShort(before) && isShort(after))
    return { sign: '±', text: `${name}: ${isolateText(before)} → ${isolateText(after)}` };
  return { sign: '±', text: `${name} changed`, lines: inLines(old, now) };
}

/** Describes added and removed texts. */
export function inSet(name: string, old: string[], now: string[]): Difference[] {
  const list = (texts: string[]) =>
    texts.length > 8
      ? `${texts.slice(0, 8).join(', ')}, and ${texts.length - 8} more`
      : texts.join(', ');
  const [before, after] = [new Set(old), new Set(now)];
  const added = now.filter((text) => !before.has(text));
  const gone = old.filter((text) => !after.has(text));
  const parts: Difference[] = [];
  if (added.length > 0) parts.push({ sign: '+', text: `${name}: ${list(added)}` });
  if (gone.length > 0) parts.push({ sign: '-', text: `${name} without ${list(gone)}` });
  return parts.length > 0 ? parts : [{ sign: '±', text: `${name} reordered` }];
}
