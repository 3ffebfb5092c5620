import type { Context } from 'hono';
import * as z from 'zod';
import { distinct } from '../shared/distinct.ts';
import { counted } from '../shared/english.ts';
import { stamps } from '../shared/fields.ts';
import type { Change } from '../store/core/transaction.ts';

/** Something that the answer of a change draws attention to. */
export const warning = z
  .object({ property: z.string(), message: z.string() })
  .meta({ id: 'Warning' });

type Warning = z.infer<typeof warning>;

/** The member of an answer that holds them. */
export const warnings = z
  .array(warning)
  .optional()
  .meta({
    description:
      'Of a change: what of it takes effect later, not for long or not yet, and members of the body that are not known and so not kept. Absent if there is nothing.',
    examples: [[{ property: 'colour', message: 'is not known here, and was not kept' }]],
  });

/** How many members an answer names. */
const maxNamed = 100;

type Path = readonly (string | number)[];

const hasMembers = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The members of a body that are not in what was kept of it, wherever they are. */
export function droppedMembers(given: unknown, kept: unknown, path: Path = []): Path[] {
  if (given === kept || !hasMembers(given) || !hasMembers(kept)) return [];
  if (Array.isArray(given)) return droppedFrom(given, kept, path);
  return Object.entries(given).flatMap(([key, value]) => {
    if (!Object.hasOwn(kept, key)) return [[...path, key]];
    return hasMembers(value) ? droppedMembers(value, Object(kept)[key], [...path, key]) : [];
  });
}

/** The same of a list; one that was kept as another is no longer compared. */
function droppedFrom(given: unknown[], kept: object, path: Path): Path[] {
  if (!Array.isArray(kept) || given.length !== kept.length) return [];
  return given.flatMap((value, index) =>
    hasMembers(value) ? droppedMembers(value, kept[index], [...path, index]) : [],
  );
}

/** Whether anything that a body says is known, at whatever depth; what is empty in it is said as well. */
export const saysAnything = (given: object, known: object): boolean =>
  Object.entries(known).some(([key, kept]) => {
    const said: unknown = Object(given)[key];
    const hasOwn = hasMembers(said) && Object.keys(said).length > 0;
    return !hasOwn || !hasMembers(kept) || Array.isArray(kept) || saysAnything(said, kept);
  });

/** Whether an answer has a member: then it is known, and the console's own to say. */
const isAnswered = (path: Path, answer: unknown) =>
  path.reduce<unknown>(
    (value, key) => (Object.hasOwn(Object(value), key) ? Object(value)[key] : undefined),
    answer,
  ) !== undefined;

/** What is read of an entity beside what is kept, and comes back from who has read it, whatever a change answers. */
const readAlong = new Set(['id', 'uses', ...Object.keys(stamps)]);

/** Whether a member was read along: one of the body itself, or the uses of something in it. */
const isReadAlong = (path: Path) =>
  path.length === 1 ? readAlong.has(String(path[0])) : path.at(-1) === 'uses';

function warningsOf(dropped: readonly Path[], answer: unknown): Warning[] {
  const unknown = dropped.filter((path) => !isReadAlong(path) && !isAnswered(path, answer));
  const named = unknown.slice(0, maxNamed).map((path) => ({
    property: path.join('.'),
    message: 'is not known here, and was not kept',
  }));
  const more = unknown.length - named.length;
  const message = `has ${counted(more, 'more member')} not known here and not kept`;
  return more > 0 ? [...named, { property: 'body', message }] : named;
}

/**
 * Warnings of the properties that a request sets and that nothing enforces yet.
 * @param kept the body: a default that it does not give is not warned of
 */
function unenforcedIn(changes: readonly Change[], kept: object = {}): Warning[] {
  const given = Object.keys(kept); // none in a restore, which sets all
  const properties = changes.flatMap(({ kind, before, twin, after }) =>
    after ? kind.unenforced(before ?? twin, after) : [],
  );
  return distinct(properties)
    .filter((property) => given.length === 0 || given.includes(property.split('.')[0] ?? ''))
    .map((property) => ({ property, message: 'is stored, and nothing enforces it yet' }));
}

/**
 * Adds warnings to the response of a change: one for each member of the body that is lost, and for each property that
 * nothing enforces yet.
 */
export async function withWarnings(
  c: Context,
  response: Response,
  changes: readonly Change[],
): Promise<Response> {
  const dropped: Path[] = c.get('dropped') ?? [];
  const unenforced = unenforcedIn(changes, c.get('kept'));
  if (!response.ok || dropped.length + unenforced.length === 0) return response;
  const { warnings: earlier = [], ...body } = Object(await response.json());
  const all: Warning[] = [...earlier, ...unenforced, ...warningsOf(dropped, body.data ?? body)];
  const { status, headers } = response;
  return new Response(JSON.stringify(all.length > 0 ? { ...body, warnings: all } : body), {
    status,
    headers,
  });
}
