import type * as z from 'zod';
import { report } from '../../shared/report.ts';

/** The properties of a window of days: which it is, and where one that is custom starts and ends. */
interface RollupWindow {
  window: string;
  start: string;
  end: string;
}

/** Reports what is wrong at the ends of a window; of a custom one, that without any is the whole window. */
const soundWindow =
  ({ window, start, end }: RollupWindow) =>
  (values: Record<string, unknown>, context: z.RefinementCtx): void => {
    if (Number(values[end]) < Number(values[start]))
      report(context, `must not be before ${start}`, end);
    if (values[window] !== 'custom') return;
    const missing = [start, end].filter((property) => values[property] === undefined);
    const [only, other] = missing;
    if (only && !other) report(context, `is required with ${only === start ? end : start}`, only);
  };

/** Of a metric, or its numerator. */
export const ownWindow = soundWindow({
  window: 'rollupTimeWindow',
  start: 'customRollUpStart',
  end: 'customRollUpEnd',
});

export const denominatorWindow = soundWindow({
  window: 'denominatorRollupTimeWindow',
  start: 'denominatorCustomRollupStart',
  end: 'denominatorCustomRollupEnd',
});
