import { memoize } from '../../base/memoize.ts';
import { sha256Hex } from '../../base/sha256.ts';
import type { EvaluationContext } from '../../engine/evaluation/context.ts';
import type { Project } from '../../engine/evaluation/spec.ts';
import { tokenLifetime } from '../serving/token.ts';

export interface FlagsTag {
  readonly input: string;
  readonly body: string;
}

/** Uses the SHA-256 of the runtime: for many flags, JavaScript would take over a third of their evaluation time. */
const digest = (text: string): string => sha256Hex(text).slice(0, 16);

/** Both tags include the day, because the response contains a token that is valid for at least a day. */
const tagDay = (now: number): number => Math.floor(now / tokenLifetime);

const momentsOf = memoize((project: Project): readonly number[] => {
  const specs = [project.gates, project.configs, project.layers].flatMap((list) => [
    ...list.values(),
  ]);
  return specs
    .flatMap(({ rules }) => rules.flatMap(({ conditions }) => conditions))
    .filter(({ type }) => type === 'current_time')
    .map(({ targetValue }) => Number(targetValue));
});

/** Returns how many times of `time` conditions have come, and how many are over: each changes what flags depend on. */
export function countMoments(project: Project, now: number): number {
  const moments = momentsOf(project);
  // Three states: before, at and after the moment.
  const begun = moments.filter((moment) => moment <= now).length;
  return begun + moments.filter((moment) => moment < now).length;
}

/** Returns the hash of all data that a user's flags depend on. `seq` is the newest revision of the project. */
export function inputTag({ project, user, now }: EvaluationContext, seq: number): string {
  const { environments, targetAppID } = project;
  const input = [seq, environments, targetAppID, countMoments(project, now), tagDay(now), user];
  return digest(JSON.stringify(input));
}

/** Returns the hash of the evaluated flags, given as JSON. `now` in epoch milliseconds. */
export const bodyTag = (flags: string, now: number): string => digest(`[${tagDay(now)},${flags}]`);

export const etagOf = ({ input, body }: FlagsTag): string => `"${input}.${body}"`;

/** Returns the tags of an If-None-Match header; tags of another format are ignored. */
export const tagsIn = (header: string | undefined): FlagsTag[] =>
  [...(header ?? '').matchAll(/"([0-9a-f]{16})\.([0-9a-f]{16})"/g)].map(
    ([, input = '', body = '']) => ({ input, body }),
  );
