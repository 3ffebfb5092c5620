import { useId, useState } from 'preact/hooks';
import type { Attributes } from './field.tsx';

export interface Suggestion {
  value: string;
  label: string;
  note?: string | undefined;
}

interface ComboProps {
  attributes: Attributes;
  text: string;
  onText: (text: string) => void;
  onPick: (value: string) => void;
  suggestions: Suggestion[];
  placeholder?: string | undefined;
  onKey?: (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => void;
  onPaste?: (event: ClipboardEvent) => void;
  onEnter?: () => void;
  onLeave?: () => void;
  look?: string;
  first?: boolean;
}

/** A text field with suggestions, as ARIA 1.2 describes a combobox; the only list of suggestions there is. */
export function Combo(props: ComboProps) {
  const { attributes, text, onText, onPick, suggestions, placeholder, look = 'input' } = props;
  const list = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const shows = isOpen && suggestions.length > 0;
  const shut = () => {
    setOpen(false);
    setAt(-1);
  };
  const pick = (value: string) => {
    onPick(value);
    shut();
  };
  const close = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    shut();
  };
  const step = (event: Event, by: number) => {
    event.preventDefault();
    setOpen(true);
    const { length } = suggestions;
    const from = at < 0 && by < 0 ? 0 : at; // upwards it begins at the last
    if (length > 0) setAt((from + by + length) % length);
  };
  const key = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const chosen = shows ? suggestions[at] : undefined;
    if (event.key === 'ArrowDown') return step(event, 1);
    if (event.key === 'ArrowUp') return step(event, -1);
    if (event.key === 'Escape' && shows) return close(event);
    if (event.key !== 'Enter' || !chosen) return props.onKey?.(event);
    event.preventDefault();
    pick(chosen.value);
  };
  return (
    <div class="combo">
      <input
        {...attributes}
        class={look}
        role="combobox"
        autoComplete="off"
        spellcheck={false}
        aria-expanded={shows}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shows && at >= 0 ? `${list}-${at}` : undefined}
        data-first={props.first}
        value={text}
        placeholder={placeholder}
        onInput={({ currentTarget }) => {
          onText(currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => {
          setOpen(true);
          props.onEnter?.();
        }}
        onBlur={() => {
          shut();
          props.onLeave?.();
        }}
        onKeyDown={key}
        onPaste={props.onPaste}
      />
      <Options id={list} suggestions={suggestions} at={at} isShown={shows} onPick={pick} />
    </div>
  );
}

interface OptionsProps {
  id: string;
  suggestions: Suggestion[];
  /** Which of them the arrows are at. */
  at: number;
  isShown: boolean;
  onPick: (value: string) => void;
}

const Options = ({ id, suggestions, at, isShown, onPick }: OptionsProps) => (
  <div class="combo-list" id={id} role="listbox" aria-label="Suggestions" hidden={!isShown}>
    {suggestions.map(({ value, label, note }, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, which takes the keys for its options.
      <div
        key={value}
        id={`${id}-${index}`}
        class={index === at ? 'combo-item combo-item-at' : 'combo-item'}
        role="option"
        tabIndex={-1}
        aria-selected={index === at}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onPick(value)}
      >
        <span class="combo-words">{label}</span>
        {note && <span class="combo-note">{note}</span>}
      </div>
    ))}
  </div>
);
