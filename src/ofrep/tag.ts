import type { Context } from '../evaluation/context.ts';
import type { Project } from '../evaluation/spec.ts';
import { lifetime } from '../serving/token.ts';
import { madeOnce } from '../shared/made_once.ts';
import { sha256 } from '../shared/sha256.ts';

/** What an answer was made of, and what it says; 16 characters of SHA-256 each. */
export interface Tag {
  readonly input: string;
  readonly body: string;
}

/** By the runtime's own SHA-256: for many flags, one in JavaScript takes more than a third of the time of their evaluation. */
const digest = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 16);

/**
 * The day of an answer, which is in both tags: the token that comes with it, for the stream of changes, is good for no
 * less, and a client whose tag stayed the same would be left with one that is no longer good.
 */
const dayOf = (now: number): number => Math.floor(now / lifetime);

/** The moments at which conditions on the time change, in epoch milliseconds. */
const momentsOf = madeOnce((project: Project): readonly number[] => {
  const specs = [project.gates, project.configs, project.layers].flatMap((list) => [
    ...list.values(),
  ]);
  return specs
    .flatMap(({ rules }) => rules.flatMap(({ conditions }) => conditions))
    .filter(({ type }) => type === 'current_time')
    .map(({ targetValue }) => Number(targetValue));
});

/** Names everything that the flags of a user depend on; `seq` is the newest change that the project holds. */
export function inputTag({ project, user, now }: Context, seq: number): string {
  const moments = momentsOf(project);
  // At the moment itself it is neither before nor after.
  const [begun, passed] = [
    moments.filter((moment) => moment <= now).length,
    moments.filter((moment) => moment < now).length,
  ];
  const { environments, targetAppID } = project;
  return digest([seq, environments, targetAppID, begun + passed, dayOf(now), user]);
}

/** Names what is answered, whatever it was made from; `now` in epoch milliseconds. */
export const bodyTag = (flags: readonly object[], now: number): string =>
  digest([dayOf(now), flags]);

/** Both tags as one ETag, with its quotes. */
export const etagOf = ({ input, body }: Tag): string => `"${input}.${body}"`;

/** The tags of an If-None-Match header; others than ours are passed over. */
export const tagsIn = (header: string | undefined): Tag[] =>
  [...(header ?? '').matchAll(/"([0-9a-f]{16})\.([0-9a-f]{16})"/g)].map(
    ([, input = '', body = '']) => ({ input, body }),
  );
