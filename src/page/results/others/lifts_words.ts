import type { Lifts } from '../frame/api_types.ts';
import { countingOf } from '../frame/counting.ts';
import type { Verdict } from '../verdict/verdict.ts';

const listFormat = new Intl.ListFormat('en');

/** Returns the lifts of a side, such as "Passing", in one sentence. */
export function liftsInWords(
  { ds, monitoringMetrics }: Lifts,
  side: string,
): Pick<Verdict, 'tone' | 'sentence'> {
  const named = (...wanted: string[]) =>
    listFormat.format(
      monitoringMetrics
        .filter((result) => wanted.includes(countingOf(result)))
        .map(({ metricName }) => metricName),
    );
  if (ds === null) return { tone: 'plain', sentence: 'No day is loaded yet.' };
  if (monitoringMetrics.length === 0)
    return { tone: 'plain', sentence: 'No metric is measured. Add one in the settings.' };
  const [better, worse] = [named('better'), named('worse')];
  if (worse && better)
    return { tone: 'bad', sentence: `${side} is worse on ${worse}, and better on ${better}.` };
  if (worse) return { tone: 'bad', sentence: `${side} is worse on ${worse}.` };
  if (better) return { tone: 'good', sentence: `${side} is better on ${better}.` };
  const leaning = named('leaning', 'leaningworse');
  return {
    tone: 'plain',
    sentence: leaning
      ? `A change of ${leaning} is possible, but not certain.`
      : 'No change found yet.',
  };
}
