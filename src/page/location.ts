import { useLayoutEffect, useState } from 'preact/hooks';
import { useEvent } from './use.ts';

/** Goes to an address of the page; instead of the one that it is at, where Back is not to lead there again. */
export function go(address: string, isInstead = false): void {
  const before = location.pathname;
  const isSame = new URL(address, location.href).href === location.href;
  history[isInstead || isSame ? 'replaceState' : 'pushState'](null, '', address);
  if (location.pathname !== before) scrollTo(0, 0);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Goes where a link within the page leads without loading it anew; other clicks are left to the browser. */
export function follow(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target instanceof Element && target.closest('a');
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  if (link.origin !== location.origin || link.target || link.download || link.hash) return;
  event.preventDefault();
  go(link.href);
}

/** What asks before it is left. */
const stays = new Set<() => void>();

/** Holds the way back where something asks first; what the page does itself goes on. */
export function hold(event: Event): void {
  const ask = [...stays].pop();
  if (!ask || !event.isTrusted) return;
  event.stopImmediatePropagation();
  ask();
}

const stop = (event: Event) => event.preventDefault();

/**
 * Stays here while something would be lost elsewhere: the browser asks before it leaves.
 * @param onBack what Back does in place of going there
 */
export function useStay(isOn: boolean, onBack: () => void): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    const { href } = location;
    const ask = () => {
      history.pushState(null, '', href);
      onBack();
    };
    stays.add(ask);
    addEventListener('beforeunload', stop);
    return () => {
      stays.delete(ask);
      if (stays.size === 0) removeEventListener('beforeunload', stop);
    };
  }, [isOn]);
}

/**
 * A step of an address for any text. What is served decodes slashes, and leads elsewhere then: they are encoded twice,
 * and so is the percent, which is how it is told.
 */
export const stepFor = (text: string) =>
  encodeURIComponent(text.replace(/[%/]/g, encodeURIComponent));

/** The text of a step. */
export const textOf = (step: string) =>
  decodeURIComponent(step).replace(/%2[5F]/g, decodeURIComponent);

/** Where the page is, and what its address asks for; told anew whenever it changes. */
export function useLocation() {
  const [, setHere] = useState(location.href);
  useEvent(window, 'popstate', () => setHere(location.href));
  const path = location.pathname.replace(/\/+$/, '') || '/';
  return { path, query: Object.fromEntries(new URLSearchParams(location.search)) };
}
