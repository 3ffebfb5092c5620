import { number } from '../base/words.ts';

const minus = '\u2212';

const signed = (text: string) => text.replace('-', minus);

// Making a format takes as long as formatting a hundred numbers.
function formatsBy(optionsOf: (digits: number) => Intl.NumberFormatOptions) {
  const known = new Map<number, Intl.NumberFormat>();
  return (value: number, digits: number) => {
    const format = known.get(digits) ?? new Intl.NumberFormat('en', optionsOf(digits));
    known.set(digits, format);
    return format.format(value);
  };
}

const fixed = formatsBy((digits) => ({
  minimumFractionDigits: digits,
  maximumFractionDigits: digits,
}));

/** Whether a number can be displayed. */
export const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

const none = '–';

function digitsOf(value: number): number {
  const size = Math.abs(value);
  if (size >= 100) return 0;
  return size > 0 && size < 0.1 ? 2 : 1;
}

/** Formats a change in percent with its sign, such as "+5.2%". */
export function lift(value: number | null | undefined): string {
  if (!isNumber(value)) return none;
  const text = fixed(Math.abs(value), digitsOf(value));
  if (Number(text.replaceAll(',', '')) === 0) return '0%';
  return `${value > 0 ? '+' : minus}${text}%`;
}

/** Formats an interval in percent in words, such as "−1.5% to +11.9%". */
export const intervalInWords = (lower: number, upper: number) => `${lift(lower)} to ${lift(upper)}`;

const precise = formatsBy((digits) => ({
  minimumSignificantDigits: Math.min(digits, 3),
  maximumSignificantDigits: digits,
}));

/** Formats a mean with 3 to 4 significant digits; a share of units as a percentage. */
export function mean(value: number | null | undefined, isShare: boolean): string {
  if (!isNumber(value)) return none;
  if (value === 0) return isShare ? '0%' : '0';
  const size = Math.abs(isShare ? value * 100 : value);
  const text =
    size >= 1000
      ? fixed(isShare ? value * 100 : value, 0)
      : precise(isShare ? value * 100 : value, 4);
  return signed(isShare ? `${text}%` : text);
}

/** Formats an absolute change with its sign; a share of units in percentage points. */
export function change(value: number | null | undefined, isShare: boolean): string {
  if (!isNumber(value)) return none;
  if (value === 0) return isShare ? '0 pp' : '0';
  const size = Math.abs(isShare ? value * 100 : value);
  const text = size >= 1000 ? fixed(size, 0) : precise(size, 3);
  return `${value > 0 ? '+' : minus}${text}${isShare ? ' pp' : ''}`;
}

/** Formats a probability of chance with three decimals, such as "0.128" or "<0.001". */
export function pValue(value: number | null | undefined): string {
  if (!isNumber(value)) return none;
  return value < 0.001 ? '<0.001' : fixed(value, 3);
}

/** Formats a probability from 0 to 1 as a whole percentage, such as "94%" or ">99%". */
export function chance(value: number | null | undefined): string {
  if (!isNumber(value)) return none;
  if (value > 0.99) return '>99%';
  return value < 0.01 ? '<1%' : `${Math.round(value * 100)}%`;
}

const counts = new Intl.NumberFormat('en');

/** Formats a count with commas. */
export const countOf = (value: number) => counts.format(value);

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a number along an axis, such as "5k" or "1.2M". */
export const axisNumber = (value: number) => signed(short.format(value).replace('K', 'k'));

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Formats a UTC day, such as "17 Nov". */
export const dayLabel = (time: number) => dayFormat.format(time);

const hourFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Formats a UTC hour, such as "14:00". */
export const hourLabel = (time: number) => hourFormat.format(time);

const fourDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

/** Formats an amount along an axis, such as "0.25", "8" or "12k"; the largest and smallest as powers of ten. */
export function amount(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 0.001)) return signed(number(value));
  return size >= 10_000 ? axisNumber(value) : signed(fourDigits.format(value));
}
