import type { Context } from 'hono';
import type { downloadV1, downloadV2 } from '../evaluation/download.ts';
import type { Project } from '../evaluation/spec.ts';
import type { Door } from '../serving/door.ts';

type Make = typeof downloadV1 | typeof downloadV2;

/** A download that was written out. */
interface Written {
  readonly project: Project;
  readonly make: Make;
  readonly text: string;
}

/** The last ones: 10,000 gates come to 9 MB each, so that few are kept. */
let written: readonly Written[] = [];
const mostKept = 2;

function textOf(project: Project, make: Make, time: number): string {
  const known = written.find((one) => one.project === project && one.make === make);
  const text = known?.text ?? JSON.stringify(make(project, time));
  const others = written.filter((one) => one !== known).slice(0, mostKept - 1);
  written = [{ project, make, text }, ...others];
  return text;
}

/**
 * Answers all that a key may evaluate, to an SDK that evaluates by itself; it says what it has.
 * See docs/contract/evaluation.md#72-download.
 */
export const answerDownload = (make: Make) => (c: Context<Door>) => {
  const snapshot = c.get('snapshot');
  const since = Number(c.req.query('sinceTime') ?? 0);
  if (since >= snapshot.time) return c.json({ has_updates: false });
  const project = snapshot.project(c.get('caller'));
  const headers = { 'Content-Type': 'application/json' };
  return c.body(textOf(project, make, snapshot.time), 200, headers);
};
