import { useEvent, useKept } from './use.ts';

const isTyping = ({ target }: Event) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const singleKeys = 'single-keys';

/** Whether keys without Ctrl do something; some people's software types them by itself (WCAG 2.1.4). */
export function useSingleKeys() {
  const [kept, keep] = useKept(singleKeys, 'on');
  return { isOn: kept === 'on', switchTo: (isOn: boolean) => keep(isOn ? 'on' : 'off') };
}

/** Whether a key does nothing; one that types nothing always does. */
const isSwitchedOff = (key: string) =>
  key.length === 1 && localStorage.getItem(singleKeys) === 'off';

/** Whether a key is pressed, which Caps Lock may make a capital, but not Shift; what fills a field in presses none. */
const isKey = (event: Event, key: string): event is KeyboardEvent =>
  event instanceof KeyboardEvent &&
  (event.key === key || (!event.shiftKey && event.key.toLowerCase() === key));

/**
 * Goes to what is typed first of what was added at the end of a list, once it is there.
 * @param field which that is
 */
export const focusOnLast = (list: HTMLElement | null, field = 'input, select, textarea') =>
  requestAnimationFrame(() => {
    const first = list?.lastElementChild?.querySelector<HTMLElement>(field);
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  });

/** How many dialogs are open. */
export const openDialogs = () => document.querySelectorAll('dialog[open]').length;

/**
 * Runs something on a key.
 * @param keys such as `/` or `Ctrl+k`; one without Ctrl counts outside of fields and dialogs alone
 * @param isOn whether it does so at the moment of the key; otherwise the key is left to others
 */
export function useShortcut(keys: string, run: () => void, isOn = () => true): void {
  const key = keys.replace('Ctrl+', '');
  const withCtrl = key !== keys;
  useEvent(document, 'keydown', (event) => {
    if (!isKey(event, key) || !isOn()) return;
    if (event.repeat || event.defaultPrevented || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) !== withCtrl) return;
    if (!withCtrl && (isTyping(event) || isSwitchedOff(key) || openDialogs() > 0)) return;
    event.preventDefault();
    run();
  });
}
