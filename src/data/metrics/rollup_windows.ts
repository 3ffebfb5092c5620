import type * as z from 'zod';
import { report } from '../../base/report.ts';

interface RollupWindow {
  window: string;
  start: string;
  end: string;
}

const validateWindow =
  ({ window, start, end }: RollupWindow) =>
  (values: Record<string, unknown>, context: z.RefinementCtx): void => {
    if (Number(values[end]) < Number(values[start]))
      report(context, `must not be before ${start}`, end);
    if (values[window] !== 'custom') return;
    const missing = [start, end].filter((property) => values[property] === undefined);
    const [only, other] = missing;
    if (only && !other) report(context, `is required with ${only === start ? end : start}`, only);
  };

export const ownWindow = validateWindow({
  window: 'rollupTimeWindow',
  start: 'customRollUpStart',
  end: 'customRollUpEnd',
});

export const denominatorWindow = validateWindow({
  window: 'denominatorRollupTimeWindow',
  start: 'denominatorCustomRollupStart',
  end: 'denominatorCustomRollupEnd',
});
