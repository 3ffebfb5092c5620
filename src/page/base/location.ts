import { useLayoutEffect, useState } from 'preact/hooks';
import { useEvent } from './use.ts';

/** Opens an address of the page, or replaces the current history entry. */
export function go(address: string, isInstead = false): void {
  const before = location.pathname;
  const isSame = new URL(address, location.href).href === location.href;
  history[isInstead || isSame ? 'replaceState' : 'pushState'](null, '', address);
  if (location.pathname !== before) scrollTo(0, 0);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Opens a link of the page without a reload. */
export function follow(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target instanceof Element && target.closest('a');
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  if (link.origin !== location.origin || link.target || link.download || link.hash) return;
  event.preventDefault();
  go(link.href);
}

const blockers = new Set<() => void>();

/** Stops "Back" while a dialog confirms. Untrusted events are the page's own. */
export function blockBack(event: Event): void {
  const ask = [...blockers].pop();
  if (!ask || !event.isTrusted) return;
  event.stopImmediatePropagation();
  ask();
}

const stop = (event: Event) => event.preventDefault();

/** Blocks leaving the page while input would be lost. "Back" calls `onBack` instead. */
export function useStay(isOn: boolean, onBack: () => void): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    const { href } = location;
    const ask = () => {
      history.pushState(null, '', href);
      onBack();
    };
    blockers.add(ask);
    addEventListener('beforeunload', stop);
    return () => {
      blockers.delete(ask);
      if (blockers.size === 0) removeEventListener('beforeunload', stop);
    };
  }, [isOn]);
}

/** Encodes a text as one step of an address. "/" and "%" are encoded twice, because the server decodes once. */
export const stepFor = (text: string) =>
  encodeURIComponent(text.replace(/[%/]/g, encodeURIComponent));

/** Decodes a step of an address. */
export const decodedStep = (step: string) =>
  decodeURIComponent(step).replace(/%2[5F]/g, decodeURIComponent);

/** Returns the path and query of the address. */
export function useLocation() {
  const [, setHere] = useState(location.href);
  useEvent(window, 'popstate', () => setHere(location.href));
  const path = location.pathname.replace(/\/+$/, '') || '/';
  return { path, query: Object.fromEntries(new URLSearchParams(location.search)) };
}
