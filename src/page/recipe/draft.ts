import { useEffect, useState } from 'preact/hooks';
import { isEqual } from '../../shared/equal.ts';
import type { Call } from '../api.ts';
import { laidOut } from '../json_text.ts';
import { merge } from '../merge.ts';
import { ownName } from '../session.ts';
import type { Entity } from '../types.ts';
import { useEvent } from '../use.ts';
import { type Kind, ownPathOf, type SavedApart } from './kind.ts';

/** What was typed and is not stored yet: the state that it started from, and what is changed of that. */
export interface Draft<E> {
  base: E;
  edits: Partial<E>;
  /** Why, for the history. */
  note?: string;
}

/** What the name of each draft begins with: drafts belong to the key that made them. */
const prefix = () => ownName('draft ');
const ending = 'edited';

function readDraft<E>(name: string): Draft<E> | undefined {
  const text = sessionStorage.getItem(prefix() + name);
  return text === null ? undefined : JSON.parse(text);
}

/** The drafts on the screen that the tab has no room for. */
const unkept = new Set<string>();

/** Keeps a draft in the tab where there is room for it, or none for undefined. */
function keepDraft<E>(key: string, draft: Draft<E> | undefined): void {
  sessionStorage.removeItem(key);
  unkept.delete(key);
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    unkept.add(key);
  }
  document.dispatchEvent(new Event(ending));
}

/** Forgets the draft of a page. */
export const forgetDraft = (name: string) => keepDraft(prefix() + name, undefined);

/** Where this key has drafts in this tab: the addresses of their pages. */
export const draftsHere = () =>
  [...Object.keys(sessionStorage), ...unkept]
    .filter((key) => key.startsWith(prefix()))
    .map((key) => key.slice(prefix().length));

/** Whether a property is as it was, be it as it stands in its field. */
const isAsBefore = (before: unknown, after: unknown) =>
  isEqual(before, after) || (typeof before === 'string' && laidOut(before) === after);

/** What of a state is not as it was. */
export function changedOf<E extends Entity>(base: E, after: E): Partial<E> {
  const changed: Partial<E> = {};
  for (const property in after)
    if (!isAsBefore(base[property], after[property])) changed[property] = after[property];
  return changed;
}

/**
 * Two edits of one entity as one, which starts from where the later does: of what somebody else changed between them, too,
 * mine stands, be it a whole rule. Where both touch the same property, be it of a rule, the later goes first.
 */
export function joined<E extends Entity>(
  earlier: Draft<Entity> | undefined,
  later: Draft<E>,
): Draft<E> {
  if (!earlier) return later;
  const [before, after] = [earlier, later].map(({ base, edits }) => ({ ...base, ...edits }));
  const moved = merge(earlier.base, before, later.base).value;
  const { value } = merge(later.base, after, moved, undefined, true);
  return { base: later.base, edits: changedOf(later.base, { ...later.base, ...Object(value) }) };
}

/** Makes a draft of an edit again, joined with what was typed since. */
export function giveBack(name: string, edit: Draft<Entity>): void {
  const typed = readDraft<Entity>(name);
  keepDraft(prefix() + name, typed ? joined(edit, typed) : edit);
}

/**
 * The draft of an entity, kept in the tab where that has room: a reload, a lost session or a walk to other pages loses nothing of it.
 * @param name the address of its page
 * @param stored what the server has
 */
export function useDraft<E extends Entity>(name: string, stored: E) {
  const [draft, setDraft] = useState(() => readDraft<E>(name));
  const [key] = useState(prefix() + name); // another may be signed in while it is left
  const keep = (next: Draft<E> | undefined) => {
    const changed = next && Object.keys(next.edits).length > 0 ? next : undefined;
    keepDraft(key, changed);
    setDraft(changed);
  };
  useEffect(
    () => () => {
      if (unkept.delete(key)) document.dispatchEvent(new Event(ending)); // it is gone with its page
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
    /** Whether the tab has room for it; it is lost with its page where not. */
    isKept: !unkept.has(key),
    change: (edits: Partial<E>) =>
      keep({ ...draft, base, edits: changedOf(base, { ...value, ...edits }) }),
    explain: (note: string) => draft && keep({ ...draft, note }),
    discard: () => keep(undefined),
    /** Goes on from a newer state, with what is still different from that. */
    rebase: (onto: E, after: E) => keep({ ...draft, base: onto, edits: changedOf(onto, after) }),
  };
}

/** A draft that is open: what is stored, what is edited of it, and how. */
export type OpenDraft<E extends Entity> = ReturnType<typeof useDraft<E>>;

/** The addresses of the pages that have drafts, told anew when one begins or ends. */
export function useDrafts(): string[] {
  const [drafts, setDrafts] = useState(draftsHere);
  useEvent(document, ending, () => setDrafts(draftsHere()));
  return drafts;
}

/** The requests that store what a draft changes: one for each part that has a path of its own. */
export function requestsOf<E extends Entity>(kind: Kind<E>, base: E, edits: Partial<E>): Call[] {
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
  // Stored together, each starts from what the one before made.
  return calls.map((call, index) => ({ ...call, version: base.version + index }));
}
