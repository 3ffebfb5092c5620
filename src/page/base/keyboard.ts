import { useEvent, useStored } from './use.ts';

const isTyping = ({ target }: Event) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const singleKeys = 'single-keys';

/** Shortcuts without Ctrl can be switched off (WCAG 2.1.4). */
export function useSingleKeys() {
  const [kept, keep] = useStored(singleKeys, 'on');
  return { isOn: kept === 'on', switchTo: (isOn: boolean) => keep(isOn ? 'on' : 'off') };
}

const isSwitchedOff = (key: string) =>
  key.length === 1 && localStorage.getItem(singleKeys) === 'off';

/** Whether a key is pressed. Caps Lock is ignored; autofill dispatches events without a key. */
const isKey = (event: Event, key: string): event is KeyboardEvent =>
  event instanceof KeyboardEvent &&
  (event.key === key || (!event.shiftKey && event.key.toLowerCase() === key));

/** Focuses the first input of the last list item, after it is rendered. */
export const focusOnLast = (list: HTMLElement | null, field = 'input, select, textarea') =>
  requestAnimationFrame(() => {
    const first = list?.lastElementChild?.querySelector<HTMLElement>(field);
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  });

/** Returns the number of open dialogs. */
export const openDialogs = () => document.querySelectorAll('dialog[open]').length;

/** Runs a function on a key such as `/` or `Ctrl+k`. Keys without Ctrl are ignored in inputs and dialogs. */
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
