import { laidOut } from './json_text.ts';
import { apart, count, statusInWords } from './words.ts';

type Sign = '+' | '-' | '±';

/** One thing that differs, in words. */
export interface Difference {
  sign: Sign;
  text: string;
  lines?: { sign: '+' | '-'; text: string }[];
}

/** Properties that follow from others, or say who changed it when: no difference of their own. */
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
  'currentPhaseID',
  'actions',
  'ruleTimes',
  'phaseTime',
  'remainingMs',
]);

/** Whether a value is a list of texts, and of nothing else. */
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A value in a line. */
export function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length === 0) return 'nothing';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.join(', ');
  return JSON.stringify(value);
}

/** Properties that hold any JSON, within which no name means anything to the page. */
const free = new Set([
  'defaultValue',
  'returnValue',
  'parameterValues',
  'json',
  'value',
  'pass_value',
  'fail_value',
]);

/** Whether a property holds any JSON. */
export const isFree = (property: string) => free.has(property);

/** A value of any JSON, as it stands; one of several lines as these. */
export const jsonOf = (value: unknown) =>
  typeof value === 'string' && value.includes('\n') ? value : JSON.stringify(value);

const isRawType = (property: string, value: string) =>
  property === 'type' && /^[A-Z_]+$/.test(value);

/** The value of a property, as what is free is told from what reads the same, a time in milliseconds as it is typed, and a status or a type that is no name in words. */
export function valueIn(property: string, value: unknown) {
  if (property.endsWith('Ms') && typeof value === 'number') return count(value / 60_000, 'minute');
  if (typeof value === 'string' && (/status$/i.test(property) || isRawType(property, value)))
    return statusInWords(value);
  return isFree(property) ? jsonOf(value) : value;
}

/** A name within a sentence. */
export const quoted = (name: unknown) => `“${apart(String(name))}”`;

const isShort = (text: string) => text.length <= 40 && !text.includes('\n');

const linesOf = (value: unknown): string[] =>
  value === undefined || value === null || value === '' ? [] : laidOut(shown(value)).split('\n');

/** The lines that came and went of a text: those between what both begin and end with. */
function inLines(old: unknown, now: unknown): Difference['lines'] {
  const [before, after] = [linesOf(old), linesOf(now)];
  const most = Math.min(before.length, after.length);
  let begin = 0;
  while (begin < most && before[begin] === after[begin]) begin++;
  let end = 0;
  while (end < most - begin && before.at(-1 - end) === after.at(-1 - end)) end++;
  const between = (lines: string[]) => lines.slice(begin, lines.length - end);
  return [
    ...between(before).map((text) => ({ sign: '-' as const, text })),
    ...between(after).map((text) => ({ sign: '+' as const, text })),
  ];
}

/** A value as people read it, who see no spaces but between words. */
const read = (value: unknown) => shown(value).split(/ +/).filter(Boolean).join(' ');

/** A value that became another: in one line where both are short, and as JSON where both read the same. */
export function became(name: string, from: unknown, to: unknown): Difference {
  const [old, now] = read(from) === read(to) ? [jsonOf(from), jsonOf(to)] : [from, to];
  const [before, after] = [shown(old), shown(now)];
  if (isShort(before) && isShort(after))
    return { sign: '±', text: `${name}: ${apart(before)} → ${apart(after)}` };
  return { sign: '±', text: `${name} changed`, lines: inLines(old, now) };
}

/** Texts of a set that came and went. */
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
