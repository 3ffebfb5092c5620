import { useState } from 'preact/hooks';
import { openDialogs } from '../base/keyboard.ts';
import { useEvent } from '../base/use.ts';
import { Button } from './button.tsx';
import { Combo, type Paste, type Suggestion } from './combo.tsx';
import type { Attributes } from './field.tsx';
import { Icon } from './icon.tsx';
import { useSuggestions } from './pick.tsx';

interface TokensProps {
  attributes: Attributes;
  values: string[];
  onChange: (values: string[]) => void;
  kind?: string;
  names?: string;
  options?: Record<string, string>;
  read?: (word: string) => string | undefined;
  onRefuse?: (words: string) => void;
  placeholder?: string;
}

const maxOptions = 30;

function matchingOptions(options: Record<string, string>, text: string): Suggestion[] {
  const words = text.trim().toLowerCase();
  const rankOf = ({ value, label }: Suggestion) => {
    if (value.toLowerCase() === words) return 2;
    return label.toLowerCase().startsWith(words) ? 1 : 0;
  };
  return Object.entries(options)
    .map(([value, label]) => ({ value, label }))
    .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(words))
    .sort((a, b) => rankOf(b) - rankOf(a))
    .slice(0, maxOptions);
}

const separators = /[,;\n\t]+/;

const Token = ({ value, onRemove }: { value: string; onRemove: () => void }) => (
  <span class="token">
    {value}
    <button
      class="token-remove"
      type="button"
      aria-label={`Remove ${value}`}
      onClick={({ detail }) => detail < 2 && onRemove()}
    >
      <Icon name="close" />
    </button>
  </span>
);

const wordsIn = (text: string) =>
  text
    .split(separators)
    .map((word) => word.trim())
    .filter(Boolean);

const cells = /\s*"((?:[^"]|"")*)"(?=\s*([,;\n\t]|$))|[^,;\n\t]+/g;

const cellsIn = (text: string) =>
  [...text.matchAll(cells)]
    .map(([cell, quoted]) => (quoted?.replaceAll('""', '"') ?? cell).trim())
    .filter(Boolean);

function useTypedTokens(props: TokensProps, maxVisible: number) {
  const { values, onChange, read = String, onRefuse } = props;
  const [text, setText] = useState('');
  const addAll = (words: string[]) => {
    const refused = words.filter((word) => read(word) === undefined).join(', ');
    setText(refused);
    onRefuse?.(refused);
    const fresh = words.flatMap((word) => read(word) ?? []);
    if (fresh.length > 0) onChange([...new Set([...values, ...fresh])]);
  };
  const type = (next: string) => {
    setText(next);
    onRefuse?.('');
  };
  const add = (given: string) => addAll(wordsIn(given));
  useEvent(window, 'pagehide', () => add(text)); // a reload also adds the typed word
  const isLastSeen = values.length > 0 && values.length <= maxVisible;
  const onKey = (event: KeyboardEvent) => {
    // On a page, Ctrl+Enter opens the review, which blurs the input; in a dialog it would save without the text.
    const isLeaving = event.ctrlKey && openDialogs() === 0;
    if (event.key === 'Enter' && text.trim() && !isLeaving && !event.isComposing) {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && isLastSeen)
      onChange(values.slice(0, -1));
  };
  const onPaste = (event: Paste) => {
    const pasted = event.clipboardData?.getData('text') ?? '';
    if (!separators.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const [before, after] = [text.slice(0, selectionStart ?? 0), text.slice(selectionEnd ?? 0)];
    addAll(cellsIn(before + pasted + after));
  };
  return {
    text,
    onText: (next: string) => (separators.test(next) ? add(next) : type(next)),
    onPick: (value: string) => addAll([value]),
    onLeave: () => add(text),
    onKey,
    onPaste,
  };
}

/** Edits a list of words or IDs, which can be pasted. */
export function Tokens(props: TokensProps) {
  const { attributes, values, onChange, kind = '', names = '', options = {} } = props;
  const [maxVisible, setMaxVisible] = useState(100);
  const typed = useTypedTokens(props, maxVisible);
  const found = useSuggestions(kind, names, typed.text);
  const suggestions = [...matchingOptions(options, typed.text), ...found.suggestions].filter(
    ({ value }) => !values.includes(value),
  );
  return (
    <div class="tokens">
      {values.slice(0, maxVisible).map((value) => (
        <Token
          key={value}
          value={value}
          onRemove={() => onChange(values.filter((other) => other !== value))}
        />
      ))}
      {values.length > maxVisible && (
        <Button look="link" onClick={() => setMaxVisible(maxVisible * 10)}>
          {`and ${values.length - maxVisible} more`}
        </Button>
      )}
      <Combo
        {...typed}
        {...found}
        attributes={attributes}
        look="tokens-input"
        placeholder={values.length === 0 ? props.placeholder : undefined}
        suggestions={suggestions}
        takesFirst={!values.includes(typed.text.trim())}
      />
    </div>
  );
}
