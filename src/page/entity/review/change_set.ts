import { useState } from 'preact/hooks';
import { isEqual } from '../../../base/equal.ts';
import type { Call } from '../../base/api.ts';
import { pageOf } from '../../base/history_words.ts';
import { ownName } from '../../base/session.ts';
import type { Entity } from '../../base/types.ts';
import { useEvent, useStored } from '../../base/use.ts';
import { titleOf } from '../../base/words.ts';
import type { KindPage } from '../kind.ts';
import { draftsHere, type EntityDraft, mergeDrafts, requestsOf, restoreDraft } from './draft.ts';

export interface Aside {
  title: string;
  page: string;
  draft: EntityDraft<Entity>;
  calls: Call[];
}

const name = () => ownName('edits put aside');
const noteName = () => ownName('note of edits put aside');
const changed = 'change-set';

const storedAsides = (): Aside[] => JSON.parse(sessionStorage.getItem(name()) ?? '[]');

function keep(set: Aside[]): void {
  sessionStorage.setItem(name(), JSON.stringify(set));
  if (set.length === 0) sessionStorage.removeItem(noteName());
  document.dispatchEvent(new Event(changed));
}

const asidesWithout = (pages: string[]) =>
  storedAsides().filter(({ page }) => !pages.includes(page));

/** Adds an edit to the change set, merged with an earlier edit. Returns false if the tab's storage is full. */
export function addToChangeSet<E extends Entity>(kind: KindPage<E>, edit: EntityDraft<E>): boolean {
  const page = pageOf(kind, edit.base.id);
  const draft = mergeDrafts(storedAsides().find((aside) => aside.page === page)?.draft, edit);
  const calls = requestsOf(kind, draft.base, draft.edits);
  try {
    const aside = { title: titleOf(draft.base), page, draft, calls };
    keep([...asidesWithout([page]), ...(calls.length > 0 ? [aside] : [])]);
    return true;
  } catch {
    return false;
  }
}

/** Removes edits from the change set and makes them drafts again. */
export function moveToDrafts(taken: Aside[]): void {
  keep(asidesWithout(taken.map(({ page }) => page)));
  for (const { page, draft } of taken) restoreDraft(page, draft);
}

/** Removes saved edits, unless another edit was merged into them. */
export const removeSaved = (stored: Aside[]) =>
  keep(storedAsides().filter((aside) => !stored.some((one) => isEqual(one, aside))));

/** Whether this tab has unsaved edits. */
export const hasEdits = () => storedAsides().length > 0 || draftsHere().length > 0;

/** Returns the change set of this tab. */
export function useChangeSet(): Aside[] {
  const [set, setSet] = useState(storedAsides);
  useEvent(document, changed, () => setSet(storedAsides()));
  return set;
}

/** Returns the note of the change set, which is deleted with it. */
export const useNote = () => useStored(noteName(), '', sessionStorage);
