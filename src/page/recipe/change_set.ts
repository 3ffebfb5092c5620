import { useState } from 'preact/hooks';
import { isEqual } from '../../shared/equal.ts';
import type { Call } from '../api.ts';
import { ownName } from '../session.ts';
import type { Entity } from '../types.ts';
import { useEvent, useKept } from '../use.ts';
import { titleOf } from '../words.ts';
import { type Draft, draftsHere, giveBack, joined, requestsOf } from './draft.ts';
import { type Kind, pageOf } from './kind.ts';

/** An edit that was put aside, to be stored together with others: one of each entity. */
export interface Aside {
  title: string;
  /** The address of the page that it was made on. */
  page: string;
  draft: Draft<Entity>;
  calls: Call[];
}

const name = () => ownName('edits put aside');
const noteName = () => ownName('note of edits put aside');
const changed = 'change-set';

const read = (): Aside[] => JSON.parse(sessionStorage.getItem(name()) ?? '[]');

function keep(set: Aside[]): void {
  sessionStorage.setItem(name(), JSON.stringify(set));
  if (set.length === 0) sessionStorage.removeItem(noteName());
  document.dispatchEvent(new Event(changed));
}

/** Those of the set that are not of some pages. */
const without = (pages: string[]) => read().filter(({ page }) => !pages.includes(page));

/** Puts an edit aside, joined with what is aside of its entity; answers whether the tab had room for it. */
export function putAside<E extends Entity>(kind: Kind<E>, edit: Draft<E>): boolean {
  const page = pageOf(kind, edit.base.id);
  const draft = joined(read().find((aside) => aside.page === page)?.draft, edit);
  const calls = requestsOf(kind, draft.base, draft.edits);
  try {
    const aside = { title: titleOf(draft.base), page, draft, calls };
    keep([...without([page]), ...(calls.length > 0 ? [aside] : [])]);
    return true;
  } catch {
    return false;
  }
}

/** Takes some out: each is a draft again. */
export function takeBack(taken: Aside[]): void {
  keep(without(taken.map(({ page }) => page)));
  for (const { page, draft } of taken) giveBack(page, draft);
}

/** Forgets some that are stored; one that was joined with another edit meanwhile stays. */
export const drop = (stored: Aside[]) =>
  keep(read().filter((aside) => !stored.some((one) => isEqual(one, aside))));

/** Whether there is an edit in this tab that is not stored. */
export const hasEdits = () => read().length > 0 || draftsHere().length > 0;

/** The changes that were put aside in this tab. */
export function useChangeSet(): Aside[] {
  const [set, setSet] = useState(read);
  useEvent(document, changed, () => setSet(read()));
  return set;
}

/** The note that is typed for the history of the set; it is kept as long as the set is. */
export const useNote = () => useKept(noteName(), '', sessionStorage);
