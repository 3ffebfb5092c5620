import { get } from '../api.ts';
import type { Entity } from '../types.ts';
import { useGet, useLate } from '../use.ts';
import { Combo, type Suggestion } from './combo.tsx';
import type { Attributes } from './field.tsx';

/** What can be named of a kind, found by the words that are typed; never the whole collection. */
export function useSuggestions(kind: string, text: string, wanted: boolean): Suggestion[] {
  const late = useLate(text, 150);
  const query = new URLSearchParams({ limit: '8', ...(late.trim() && { search: late.trim() }) });
  const path = `/${kind}?${query}`;
  const { value } = useGet(wanted && kind ? `suggest ${path}` : '', () => get<Entity[]>(path));
  return (value?.data ?? []).map(({ id, name, displayName }) => ({
    value: id,
    label: displayName ?? name ?? id,
  }));
}

interface PickProps {
  attributes: Attributes;
  /** The path of the kind, such as `gates`. */
  kind: string;
  value: string;
  onChange: (id: string) => void;
  placeholder?: string;
  first?: boolean;
}

/** The id of one entity of a kind. */
export function Pick({ attributes, kind, value, onChange, placeholder, first }: PickProps) {
  const suggestions = useSuggestions(kind, value, true).filter((one) => one.value !== value);
  return (
    <Combo
      attributes={attributes}
      text={value}
      onText={onChange}
      onPick={onChange}
      suggestions={suggestions}
      placeholder={placeholder ?? 'none'}
      look="input input-code"
      first={first ?? false}
    />
  );
}
