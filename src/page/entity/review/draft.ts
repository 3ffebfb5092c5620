import { useEffect, useState } from 'preact/hooks';
import { isEqual } from '../../../base/equal.ts';
import { recordOf } from '../../../base/value_types.ts';
import type { Call } from '../../base/api.ts';
import { laidOut } from '../../base/json_text.ts';
import { ownName } from '../../base/session.ts';
import type { Entity } from '../../base/types.ts';
import { useEvent } from '../../base/use.ts';
import { type KindPage, ownPathOf, type SavedApart } from '../kind.ts';
import { merge } from './merge.ts';

export interface EntityDraft<E> {
  base: E;
  edits: Partial<E>;
  note?: string;
}

const prefix = () => ownName('draft ');
const ending = 'edited';

function readDraft<E>(name: string): EntityDraft<E> | undefined {
  const text = sessionStorage.getItem(prefix() + name);
  return text === null ? undefined : JSON.parse(text);
}

const unkept = new Set<string>();

function keepDraft<E>(key: string, draft: EntityDraft<E> | undefined): void {
  sessionStorage.removeItem(key);
  unkept.delete(key);
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    unkept.add(key);
  }
  document.dispatchEvent(new Event(ending));
}

/** Deletes the draft of a page. */
export const forgetDraft = (name: string) => keepDraft(prefix() + name, undefined);

/** Returns the addresses of the pages with drafts of this key. */
export const draftsHere = () =>
  [...Object.keys(sessionStorage), ...unkept]
    .filter((key) => key.startsWith(prefix()))
    .map((key) => key.slice(prefix().length));

const isAsBefore = (before: unknown, after: unknown) =>
  isEqual(before, after) || (typeof before === 'string' && laidOut(before) === after);

/** Returns the properties of `after` that differ. */
export function changedOf<E extends Entity>(base: E, after: Partial<E>): Partial<E> {
  const changed: Partial<E> = {};
  for (const property in after)
    if (!isAsBefore(base[property], after[property])) changed[property] = after[property];
  return changed;
}

/** Merges two edits of one entity, based on the later one's version. The later edit wins if both changed a property. */
export function mergeDrafts<E extends Entity>(
  earlier: EntityDraft<Entity> | undefined,
  later: EntityDraft<E>,
): EntityDraft<E> {
  if (!earlier) return later;
  const [before, after] = [earlier, later].map(({ base, edits }) => ({ ...base, ...edits }));
  const moved = merge(earlier.base, before, later.base).value;
  const { value } = merge(later.base, after, moved, undefined, true);
  return { base: later.base, edits: changedOf(later.base, { ...later.base, ...recordOf(value) }) };
}

/** Restores an edit as a draft, merged with newer input. */
export function restoreDraft(name: string, edit: EntityDraft<Entity>): void {
  const typed = readDraft<Entity>(name);
  keepDraft(prefix() + name, typed ? mergeDrafts(edit, typed) : edit);
}

/** Loads and stores the draft of a page in the tab, so that it survives a reload or an ended session. */
export function useDraft<E extends Entity>(name: string, stored: E) {
  const [draft, setDraft] = useState(() => readDraft<E>(name));
  const [key] = useState(prefix() + name); // another key may sign in before the page closes
  const keep = (next: EntityDraft<E> | undefined) => {
    const changed = next && Object.keys(next.edits).length > 0 ? next : undefined;
    keepDraft(key, changed);
    setDraft(changed);
  };
  useEffect(
    () => () => {
      if (unkept.delete(key)) document.dispatchEvent(new Event(ending)); // it is lost with its page
    },
    [key],
  );
  const base = draft?.base ?? stored;
  const value = { ...base, ...draft?.edits };
  return {
    base,
    value,
    edits: draft?.edits,
    note: draft?.note ?? '',
    isKept: !unkept.has(key),
    change: (edits: Partial<E>) =>
      keep({ ...draft, base, edits: changedOf(base, { ...value, ...edits }) }),
    explain: (note: string) => draft && keep({ ...draft, note }),
    discard: () => keep(undefined),
    rebase: (onto: E, after: Partial<E>) =>
      keep({ ...draft, base: onto, edits: changedOf(onto, after) }),
  };
}

export type OpenDraft<E extends Entity> = ReturnType<typeof useDraft<E>>;

/** Returns the addresses of pages with drafts. */
export function useDrafts(): string[] {
  const [drafts, setDrafts] = useState(draftsHere);
  useEvent(document, ending, () => setDrafts(draftsHere()));
  return drafts;
}

/** Returns the requests that save a draft: one for each part with its own path. */
export function requestsOf<E extends Entity>(
  kind: KindPage<E>,
  base: E,
  edits: Partial<E>,
): Call[] {
  const { apart = [], method = 'PATCH' } = kind;
  const after = { ...base, ...edits };
  const path = ownPathOf(kind, base.id);
  const own = Object.entries(edits).filter(
    ([property]) => !apart.some((part) => part.property === property),
  );
  const parts = apart.filter(({ property }) => property in edits);
  const first = parts.filter(({ isFirst }) => isFirst?.(base, after));
  const callOf = (part: SavedApart<E>) => ({
    method: part.method,
    path: `${path}${part.path}`,
    body: part.body(base, after),
  });
  const calls: Call[] = [
    ...first.map(callOf),
    ...(own.length > 0 ? [{ method, path, body: Object.fromEntries(own) }] : []),
    ...parts.filter((part) => !first.includes(part)).map(callOf),
  ];
  // They are saved in one batch, and each increments the version.
  return calls.map((call, index) => ({ ...call, version: base.version + index }));
}
