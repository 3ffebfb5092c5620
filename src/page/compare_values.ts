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
  'isEnabled',
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
]);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

const isShort = (text: string) => text.length <= 40 && !text.includes('\n');

const linesOf = (sign: '+' | '-', value: unknown) =>
  value === undefined || value === null || value === ''
    ? []
    : shown(value)
        .split('\n')
        .map((text) => ({ sign, text }));

/** A value that became another: in one line where both are short. */
export function became(name: string, old: unknown, now: unknown): Difference {
  const [before, after] = [shown(old), shown(now)];
  if (isShort(before) && isShort(after))
    return { sign: '±', text: `${name}: ${before} → ${after}` };
  return {
    sign: '±',
    text: `${name} changes`,
    lines: [...linesOf('-', old), ...linesOf('+', now)],
  };
}
