import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Answer, get } from './api.ts';
import { type Problem, problemOf } from './problems.ts';

interface ReadResult<T> {
  value: T | undefined;
  problem: Problem | undefined;
  again: () => void;
}

const cache = new Map();
const maxEntries = 50;
const changes = new EventTarget();

/** Refreshes all visible reads. */
export const announceChange = () => changes.dispatchEvent(new Event('change'));

/** Adds an event listener. */
export function useEvent(from: EventTarget, name: string, run: (event: Event) => void): void {
  const latest = useRef(run);
  latest.current = run;
  // Before the first paint: a key may be pressed earlier.
  useLayoutEffect(() => {
    const listener = (event: Event) => latest.current(event);
    from.addEventListener(name, listener);
    return () => from.removeEventListener(name, listener);
  }, [from, name]);
}

/** Runs a function on each announced change. */
export const useAnnounced = (run: () => void) => useEvent(changes, 'change', run);

const useVisible = (run: () => void) =>
  useEvent(document, 'visibilitychange', () => document.visibilityState === 'visible' && run());

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

/** Removes reads that are not visible until at most `size` are left. */
export function forgetUnseen(size = 0): void {
  const seen = new Set([...onScreen].map(({ name }) => name));
  for (const name of cache.keys()) if (cache.size > size && !seen.has(name)) cache.delete(name);
}

/** Caches a value until it is read. */
export function cacheValue(name: string, value: unknown): void {
  cache.delete(name);
  cache.set(name, value);
  forgetUnseen(maxEntries);
}

interface Fetched {
  name: string;
  problem?: Problem;
}

/** Reads, caches under a name unless it is empty, and refreshes after changes and when the tab is visible again. */
export function useGet<T>(name: string, read: () => Promise<T>): ReadResult<T> {
  const [state, setState] = useState<Fetched>({ name });
  const latest = useRef(read);
  latest.current = read;
  const turn = useRef(0);
  const again = useCallback(() => {
    if (!name) return;
    turn.current += 1;
    const mine = turn.current;
    setState((before) => ({ ...before })); // the cached value may have changed
    latest
      .current()
      .then((value) => {
        if (turn.current === mine) cacheValue(name, value);
        return undefined;
      }, problemOf)
      .then((problem) => {
        if (turn.current !== mine) return;
        if (problem?.status === 403) cache.delete(name); // the current key can't read it
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
  useVisible(again);
  useAnnounced(again);
  const value: T | undefined = cache.get(name);
  const problem = state.name === name ? state.problem : undefined;
  return { value, problem, again };
}

/** Reads a path of the API. */
export const useRead = <T>(path: string) => useGet(path, () => get<T>(path));

/** Whether a read has finished. */
export const isDone = ({ value, problem }: ReadResult<unknown>) => Boolean(value ?? problem);

/** Reads a page of a list. The previous page stays visible while loading (`isOld`), except after a 403. */
export function usePage<T>(path: string, read: (path: string) => Promise<Answer<T[]>> = get) {
  const { value, ...got } = useGet(path, () => read(path));
  const last = useRef(value);
  if (value || got.problem?.status === 403) last.current = value;
  return { ...got, value: last.current, isOld: !value };
}

/** Returns a value after it has not changed for some milliseconds. */
export function useDebounced<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return late;
}

/** A text in the browser's storage. Never a secret. */
export function useStored(
  name: string,
  initial: string,
  storage = localStorage,
): [string, (text: string) => void] {
  const [text, setText] = useState(() => storage.getItem(name) ?? initial);
  const keep = (next: string) => {
    setText(next); // also if the storage is full
    storage.setItem(name, next);
  };
  return [text, keep];
}
