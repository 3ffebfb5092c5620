import { useState } from 'preact/hooks';
import type { Call } from '../api.ts';
import { useEvent } from '../use.ts';

/** A change that was put aside, to be stored together with others. */
export interface Aside {
  title: string;
  calls: Call[];
}

const name = 'change set';
const changed = 'change-set';

const read = (): Aside[] => JSON.parse(sessionStorage.getItem(name) ?? '[]');

function keep(set: Aside[]): void {
  sessionStorage.setItem(name, JSON.stringify(set));
  document.dispatchEvent(new Event(changed));
}

/** Puts a change aside; answers whether the tab had room for it. */
export function putAside(aside: Aside): boolean {
  try {
    keep([...read(), aside]);
    return true;
  } catch {
    return false;
  }
}

export const takeBack = (index: number) => keep(read().filter((_, at) => at !== index));
export const empty = () => keep([]);

/** The changes that were put aside in this tab. */
export function useChangeSet(): Aside[] {
  const [set, setSet] = useState(read);
  useEvent(document, changed, () => setSet(read()));
  return set;
}
