import type { Context } from 'hono';
import { readLoads } from '../../analysis/read/loads.ts';
import { readChosenAnalysis } from '../../analysis/read/stored.ts';
import { dateOfDay } from '../../base/time.ts';
import type { Service } from '../../platform/env.ts';
import { numberedPage } from '../../platform/http/envelope.ts';
import { readMessage } from '../../platform/http/success.ts';
import { runOf, selectionOf, withExperiment } from '../base/starts.ts';

/** Responds with the loads of an experiment's present run, newest first. */
export async function loadHistory(
  c: Context<Service>,
  id: string,
  { page, limit }: { page: number; limit: number },
) {
  const selection = selectionOf(id, {});
  const [experiment, [[stored], loads]] = await withExperiment(c, id, (tx) =>
    tx.read(readChosenAnalysis(selection), readLoads(selection)),
  );
  runOf(experiment, stored, undefined);
  const data = loads.slice((page - 1) * limit, page * limit).map(({ startDs, endDs, ...load }) => ({
    ...load,
    startDs: dateOfDay(startDs),
    endDs: dateOfDay(endDs),
    turboMode: experiment.turboMode ?? false,
  }));
  const pagination = numberedPage(c, page, limit, loads.length);
  return c.json({ message: readMessage(c), data, pagination });
}
