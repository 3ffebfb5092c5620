import { useEffect, useId, useState } from 'preact/hooks';
import type { Attributes } from './field.tsx';

export interface Suggestion {
  value: string;
  label: string;
  note?: string;
}

interface ComboProps {
  attributes: Attributes;
  text: string;
  onText: (text: string) => void;
  onPick: (value: string) => void;
  suggestions: Suggestion[];
  takesFirst?: boolean;
  isSettled?: boolean;
  placeholder?: string;
  onKey?: (event: ComboKey) => void;
  onPaste?: (event: Paste) => void;
  onEnter?: () => void;
  onLeave?: () => void;
  look?: string;
  first?: boolean;
}

type ComboKey = KeyboardEvent & { currentTarget: HTMLInputElement };
export type Paste = ClipboardEvent & { currentTarget: HTMLInputElement };

const isEnter = ({ key, isComposing, ctrlKey, metaKey }: KeyboardEvent) =>
  key === 'Enter' && !isComposing && !ctrlKey && !metaKey;

function useOptions(props: ComboProps) {
  const { suggestions, text, onPick, onKey, takesFirst = false, isSettled = true } = props;
  const [isOpen, setOpen] = useState(false);
  const [reached, setReached] = useState<string>(); // a value instead of an index, because late suggestions can be inserted before it
  const [isTyped, setTyped] = useState(false);
  const [isEntered, setEntered] = useState(false);
  const words = text.trim();
  const byItself = takesFirst && isTyped && words !== '';
  const equal = suggestions.findIndex((one) => [one.value, one.label].includes(words));
  const first = byItself && isSettled ? Math.max(0, equal) : -1;
  const at = reached === undefined ? first : suggestions.findIndex((one) => one.value === reached);
  const isShown = isOpen && suggestions.length > 0;
  const show = (isSo: boolean, isByTyping = false) => {
    setOpen(isSo);
    setReached(undefined);
    setTyped(isByTyping);
    setEntered(false);
  };
  const pick = (value: string) => {
    onPick(value);
    show(false);
  };
  const step = (by: number) => {
    setOpen(true);
    const { length } = suggestions;
    const from = at < 0 && by < 0 ? 0 : at; // ArrowUp starts at the last
    setReached(suggestions[(from + by + length) % length]?.value);
  };
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    const found = suggestions[at];
    if (found) pick(found.value);
    else props.onLeave?.();
  }, [isEntered, isSettled]);
  const enter = () => {
    const chosen = isShown ? suggestions[at] : undefined;
    const waits = byItself && !isSettled;
    if (chosen) pick(chosen.value);
    else setEntered(waits);
    return chosen !== undefined || waits;
  };
  const press = (event: ComboKey) => {
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Escape' && isShown) {
      event.stopPropagation();
      show(false);
    } else if (!isEnter(event) || !enter()) return onKey?.(event);
    event.preventDefault();
  };
  return { at, isShown, show, pick, press };
}

/** Waits for the click to end, because closing the list would move the button under the pointer. */
function afterPress(close: () => void): void {
  if (document.querySelector('button:active')) addEventListener('click', close, { once: true });
  else close();
}

/** A text input with suggestions, by the combobox pattern of ARIA 1.2. */
export function Combo(props: ComboProps) {
  const { attributes, text, onText, suggestions, placeholder, look = 'input' } = props;
  const list = useId();
  const { at, isShown, show, pick, press } = useOptions(props);
  return (
    <div class="combo">
      <input
        {...attributes}
        class={look}
        role="combobox"
        autoComplete="off"
        spellcheck={false}
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isShown && at >= 0 ? `${list}-${at}` : undefined}
        data-first={props.first}
        value={text}
        placeholder={placeholder}
        onInput={({ currentTarget }) => {
          onText(currentTarget.value);
          show(true, true);
        }}
        onFocus={() => {
          show(true);
          props.onEnter?.();
        }}
        onBlur={() => {
          props.onLeave?.();
          afterPress(() => show(false));
        }}
        onKeyDown={press}
        onPaste={props.onPaste}
      />
      <Options id={list} suggestions={suggestions} at={at} isShown={isShown} onPick={pick} />
    </div>
  );
}

interface OptionsProps {
  id: string;
  suggestions: Suggestion[];
  at: number;
  isShown: boolean;
  onPick: (value: string) => void;
}

const Options = ({ id, suggestions, at, isShown, onPick }: OptionsProps) => (
  <div class="combo-list" id={id} role="listbox" aria-label="Suggestions" hidden={!isShown}>
    {isShown &&
      suggestions.map(({ value, label, note }, index) => (
        <button
          key={value}
          type="button"
          id={`${id}-${index}`}
          class="combo-item"
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(value)}
        >
          <span class="combo-words">{label}</span>
          {note && <span class="combo-note">{note}</span>}
          {!note && label !== value && <code class="combo-note">{value}</code>}
        </button>
      ))}
  </div>
);
