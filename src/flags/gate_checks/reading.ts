import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { hourLength, hourOfTime } from '../../base/time.ts';
import type { Service } from '../../platform/env.ts';
import { openReads } from '../../platform/http/transact.ts';
import { readEntity } from '../../platform/store/entities/entities.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { statement } from '../../platform/store/sql/statement.ts';
import { gates } from '../gates/table.ts';
import type { allChecksResponse, gateChecksResponse } from './schema.ts';
import { anyID, type GateCheck } from './table.ts';

/** The most rows of a response: 30 days of 69 rules. */
const maxRows = 50_000;

const readChecks = statement<GateCheck>(sql`
  select gateID, hour, ruleID, checks, passes, fails from gate_checks
  where gateID = ${sql.placeholder('gateID')} and hour >= ${sql.placeholder('first')}
  order by hour, ruleID
  limit ${constant(maxRows + 1)}`);

const firstHourOf = (days: number, now: number): number => hourOfTime(now) + 1 - days * 24;

const countsOfHour = ({ hour, checks, passes, fails }: GateCheck) => ({
  time: hour * hourLength,
  checks,
  passes,
  fails,
});

/** Reads the checks of a gate, in one round trip. @throws Problem 404 for the gate, 400 for too many `days` */
export async function checksOfGate(
  c: Context<Service>,
  id: string,
  days: number,
): Promise<z.input<typeof gateChecksResponse>> {
  const tx = openReads(c);
  const first = firstHourOf(days, tx.time);
  const [{ createdTime }, [rows]] = await Promise.all([
    readEntity(tx, gates, id),
    tx.read(readChecks({ gateID: id, first })),
  ]);
  if (rows.length > maxRows)
    throw Problem.property('days', `must be fewer: the gate has more than ${maxRows} counts`);
  const own = rows.filter(({ hour }) => hour >= hourOfTime(createdTime));
  return {
    startTime: first * hourLength,
    hours: own.map((row) => ({
      ...countsOfHour(row),
      ruleID: row.ruleID === anyID ? null : row.ruleID,
    })),
  };
}

/** Returns the checks of all gates by hour. One round trip, and a row for each hour. */
export async function checksOfAll(
  c: Context<Service>,
  days: number,
): Promise<z.input<typeof allChecksResponse>> {
  const tx = openReads(c);
  const first = firstHourOf(days, tx.time);
  const [rows] = await tx.read(readChecks({ gateID: anyID, first }));
  return { startTime: first * hourLength, hours: rows.map(countsOfHour) };
}
