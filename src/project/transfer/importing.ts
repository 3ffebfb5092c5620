import type { Context } from 'hono';
import { Problem } from '../../base/problem.ts';
import type { Service } from '../../platform/env.ts';
import { isUnavailable } from '../../platform/http/respond.ts';
import { beginTransaction } from '../../platform/http/transact.ts';
import type { Portables } from '../../platform/resource/portable.ts';
import { BatchTooLarge, batchLimits } from '../../platform/store/sql/database.ts';
import { type Arrival, arrivalsOf } from './arrival.ts';
import { arrivalGroups } from './groups.ts';
import type { ImportReport, Line, ListResponse } from './schema.ts';
import { type ImportOutcome, storeBatch } from './storing.ts';

function midway(error: Error, stored: number): Error {
  if (!isUnavailable(error)) return error;
  return Problem.unavailable(
    `The database is not available at the moment; ${stored} entities are stored. Send the request again for the rest.`,
  );
}

const maxTogether = `${batchLimits.bytes / 1_000_000} MB with all derived rows: about 2,000 small entities, or 2 MB of lines of an export`;

function indivisible(dryRun: boolean, hasHistory: boolean, stored: number): Problem {
  const so = stored > 0 ? `${stored} entities before these are stored.` : 'Nothing was stored.';
  const refuse = (what: string, divide: string) =>
    new Problem('too_large', `${what} as a whole, up to ${maxTogether}. ${so} ${divide}`);
  if (dryRun)
    return refuse(
      'A dry run is checked',
      'Divide it: send parts without references to other parts, or send it without dryRun, which stores it in parts.',
    );
  if (hasHistory)
    return refuse(
      'An import with history is stored',
      'Divide it: send parts with complete histories, referenced entities first.',
    );
  return refuse(
    'Entities that refer to each other are stored',
    'Divide them: leave out mutual references, such as the members of a holdout, and add them afterwards.',
  );
}

/** Stores an import group by group. A group that is too large for the database is stored in two halves. */
export async function importAll(
  c: Context<Service>,
  portables: Portables,
  lines: (Line | ListResponse)[],
  dryRun: boolean,
): Promise<ImportReport> {
  const { entities, revisions, ignored } = arrivalsOf(
    lines,
    portables,
    beginTransaction(c, dryRun).author,
  );
  const hasHistory = revisions.length > 0;
  const report: ImportReport = {
    stored: 0,
    unchanged: 0,
    refused: [],
    skipped: 0,
    ignored: [...ignored].toSorted(),
  };
  // History has one order, and a dry run stores nothing that the next group could refer to.
  const waiting = arrivalGroups(entities, dryRun || hasHistory);
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const arrivals = group.flat();
    const storing = storeBatch(c, { portables, arrivals, revisions }, dryRun);
    const outcome = await storing.catch((error) => {
      if (error instanceof BatchTooLarge) return undefined;
      throw report.stored > 0 ? midway(error, report.stored) : error;
    });
    if (outcome) add(report, arrivals, outcome);
    else if (group.length === 1) throw indivisible(dryRun, hasHistory, report.stored);
    else waiting.unshift(...halves(group));
  }
  return report;
}

function halves<Part>(group: Part[]): [Part[], Part[]] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

function add(report: ImportReport, arrivals: Arrival[], outcome: ImportOutcome): void {
  const { stored, unchanged, refused } = outcome;
  const places = new Set(refused.map(({ place }) => place));
  report.stored += stored;
  if (places.size === 0) report.unchanged += unchanged;
  else report.skipped += arrivals.filter(({ place }) => !places.has(place)).length;
  for (const refusal of refused) report.refused.push(refusal); // more than a call has arguments
}
