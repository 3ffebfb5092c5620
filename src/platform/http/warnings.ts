import type { Context } from 'hono';
import * as z from 'zod';
import { distinct } from '../../base/distinct.ts';
import { counted } from '../../base/english.ts';
import { stamps } from '../../base/fields.ts';
import { isRecord, memberOf } from '../../base/value_types.ts';
import type { StagedChange } from '../store/core/transaction.ts';

export const warning = z
  .object({ property: z.string(), message: z.string() })
  .meta({ id: 'Warning' });

type FieldWarning = z.infer<typeof warning>;

export const warnings = z
  .array(warning)
  .optional()
  .meta({
    examples: [[{ property: 'colour', message: 'is not a known field and was ignored' }]],
  });

const maxNamed = 100;

interface Envelope {
  data?: unknown;
  warnings?: FieldWarning[];
}

type FieldPath = readonly (string | number)[];

const hasMembers = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the paths of body members that validation removed, at any depth. */
export function droppedMembers(given: unknown, kept: unknown, path: FieldPath = []): FieldPath[] {
  if (given === kept || !hasMembers(given) || !hasMembers(kept)) return [];
  if (Array.isArray(given)) return droppedFrom(given, kept, path);
  return Object.entries(given).flatMap(([key, value]) => {
    if (!Object.hasOwn(kept, key)) return [[...path, key]];
    return hasMembers(value) ? droppedMembers(value, memberOf(kept, key), [...path, key]) : [];
  });
}

function droppedFrom(given: unknown[], kept: object, path: FieldPath): FieldPath[] {
  if (!Array.isArray(kept) || given.length !== kept.length) return [];
  return given.flatMap((value, index) =>
    hasMembers(value) ? droppedMembers(value, kept[index], [...path, index]) : [],
  );
}

/** Whether any member of a body is known, at any depth; known members with empty values count. */
export const hasKnownMember = (given: unknown, known: object): boolean =>
  Object.entries(known).some(([key, kept]) => {
    const value = memberOf(given, key);
    const hasOwn = hasMembers(value) && Object.keys(value).length > 0;
    return !hasOwn || !hasMembers(kept) || Array.isArray(kept) || hasKnownMember(value, kept);
  });

const isInResponse = (path: FieldPath, response: unknown) =>
  path.reduce<unknown>(
    (value, key) =>
      isRecord(value) && Object.hasOwn(value, key) ? memberOf(value, key) : undefined,
    response,
  ) !== undefined;

/** Members of a response that are not stored with the entity; clients send them back after a read. */
const computedMembers = new Set(['id', 'uses', ...Object.keys(stamps)]);

const isComputed = (path: FieldPath) =>
  path.length === 1 ? computedMembers.has(String(path[0])) : path.at(-1) === 'uses';

function unknownFieldWarnings(dropped: readonly FieldPath[], response: unknown): FieldWarning[] {
  const unknown = dropped.filter((path) => !isComputed(path) && !isInResponse(path, response));
  const named = unknown.slice(0, maxNamed).map((path) => ({
    property: path.join('.'),
    message: 'is not a known field and was ignored',
  }));
  const more = unknown.length - named.length;
  const message = `has ${counted(more, 'more unknown field')}, which ${more === 1 ? 'was' : 'were'} ignored`;
  return more > 0 ? [...named, { property: 'body', message }] : named;
}

/** Warns of properties that nothing enforces yet, unless the body `kept` only has them as defaults. */
function unenforcedIn(changes: readonly StagedChange[], kept: object = {}): FieldWarning[] {
  const given = Object.keys(kept); // a restore has no body and sets all
  const properties = changes.flatMap(({ kind, before, renamedFrom, after }) =>
    after ? kind.unenforced(before ?? renamedFrom, after) : [],
  );
  return distinct(properties)
    .filter((property) => given.length === 0 || given.includes(property.split('.')[0] ?? ''))
    .map((property) => ({ property, message: 'is stored, and nothing enforces it yet' }));
}

/** Adds warnings of unknown body members and unenforced properties to the response of a change. */
export async function withWarnings(
  c: Context,
  response: Response,
  changes: readonly StagedChange[],
): Promise<Response> {
  const dropped: FieldPath[] = c.get('dropped') ?? [];
  const unenforced = unenforcedIn(changes, c.get('kept'));
  if (!response.ok || dropped.length + unenforced.length === 0) return response;
  const { warnings: earlier = [], ...body } = await response.json<Envelope>();
  const all: FieldWarning[] = [
    ...earlier,
    ...unenforced,
    ...unknownFieldWarnings(dropped, body.data ?? body),
  ];
  const { status, headers } = response;
  return new Response(JSON.stringify(all.length > 0 ? { ...body, warnings: all } : body), {
    status,
    headers,
  });
}
