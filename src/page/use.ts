import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Answer, get } from './api.ts';
import { type Problem, problemOf } from './problems.ts';

interface Got<T> {
  /** What is known; that of before while it is read anew. */
  value: T | undefined;
  problem: Problem | undefined;
  again: () => void;
}

/** What was read, by name, the newest last: shown at once when it is asked for again, and read anew behind. */
const known = new Map();
/** How much of it is kept. */
const most = 50;
const changes = new EventTarget();

/** Says that something was changed, or somebody signed in: all that is on the screen is read anew. */
export const announceChange = () => changes.dispatchEvent(new Event('change'));

/** Runs something whenever an event comes. */
export function useEvent(from: EventTarget, name: string, run: (event: Event) => void): void {
  const latest = useRef(run);
  latest.current = run;
  // As soon as what it is for is there: a key may come before it was drawn.
  useLayoutEffect(() => {
    const came = (event: Event) => latest.current(event);
    from.addEventListener(name, came);
    return () => from.removeEventListener(name, came);
  }, [from, name]);
}

/** Runs something whenever that is said. */
export const useAnnounced = (run: () => void) => useEvent(changes, 'change', run);

/** Runs something whenever the tab comes back to sight. */
const useSeen = (run: () => void) =>
  useEvent(document, 'visibilitychange', () => document.visibilityState === 'visible' && run());

/** What is on the screen, by the names of what it shows, which several may show. */
const onScreen = new Set<{ name: string }>();

function useOnScreen(name: string): void {
  useEffect(() => {
    const here = { name };
    onScreen.add(here);
    return () => {
      onScreen.delete(here);
    };
  }, [name]);
}

/**
 * Forgets what is not on the screen, as when another person signs in: what is, is read anew.
 * @param size how much may be kept of all that is known
 */
export function forgetUnseen(size = 0): void {
  const seen = new Set([...onScreen].map(({ name }) => name));
  for (const name of known.keys()) if (known.size > size && !seen.has(name)) known.delete(name);
}

/** Takes something for read: what was just stored, until it is read anew. */
export function know(name: string, value: unknown): void {
  known.delete(name);
  known.set(name, value);
  forgetUnseen(most);
}

/** What came of the last reading. */
interface State {
  name: string;
  problem?: Problem;
}

/**
 * Reads something, and reads it anew after each change and when the tab comes back to sight.
 * @param name of what is read; nothing is read for an empty one
 */
export function useGet<T>(name: string, read: () => Promise<T>): Got<T> {
  const [state, setState] = useState<State>({ name });
  const latest = useRef(read);
  latest.current = read;
  const turn = useRef(0);
  const again = useCallback(() => {
    if (!name) return;
    turn.current += 1;
    const mine = turn.current;
    setState((before) => ({ ...before })); // what is known of it may be another by now
    latest
      .current()
      .then((value) => {
        // An older answer, or one to whom somebody has followed, is none.
        if (turn.current === mine) know(name, value);
        return undefined;
      }, problemOf)
      .then((problem) => {
        if (turn.current !== mine) return;
        if (problem?.status === 403) known.delete(name); // whoever is here now may not see it
        setState({ name, problem });
      });
  }, [name]);
  useEffect(() => {
    again();
    return () => {
      turn.current += 1;
    };
  }, [again]);
  useOnScreen(name);
  useSeen(again);
  useAnnounced(again);
  const value: T | undefined = known.get(name);
  const problem = state.name === name ? state.problem : undefined;
  return { value, problem, again };
}

/** Reads what is at a path of the API. */
export const useRead = <T>(path: string) => useGet(path, () => get<T>(path));

/** Whether something is read, or cannot be. */
export const isOver = ({ value, problem }: Got<unknown>) => Boolean(value ?? problem);

/**
 * Reads a page of many: what was shown stays until the next page is there, unless whoever is here may not see it.
 * @returns also whether what is shown is that of before
 */
export function usePage<T>(path: string, read: (path: string) => Promise<Answer<T[]>> = get) {
  const { value, ...got } = useGet(path, () => read(path));
  const last = useRef(value);
  if (value || got.problem?.status === 403) last.current = value;
  return { ...got, value: last.current, isOld: !value };
}

/** A value that settles: the newest, once it has stayed for some milliseconds. */
export function useLate<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return late;
}

/** A text that this browser keeps, or this tab in the storage of its session; never anything that opens something. */
export function useKept(
  name: string,
  initial: string,
  storage = localStorage,
): [string, (text: string) => void] {
  const [text, setText] = useState(() => storage.getItem(name) ?? initial);
  const keep = (next: string) => {
    setText(next); // also where the storage has no room for it
    storage.setItem(name, next);
  };
  return [text, keep];
}
