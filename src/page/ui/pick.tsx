import { useState } from 'preact/hooks';
import { get } from '../base/api.ts';
import type { Entity } from '../base/types.ts';
import { isDone, useDebounced, useGet } from '../base/use.ts';
import { titleOf } from '../base/words.ts';
import { Combo, type Suggestion } from './combo.tsx';
import type { Attributes } from './field.tsx';
import { useNames } from './names.ts';

function useEntities(kind: string, text: string, wanted: boolean) {
  const late = useDebounced(text, 150);
  const query = new URLSearchParams({ limit: '8', ...(late.trim() && { search: late.trim() }) });
  const path = `/${kind}?${query}`;
  const read = useGet(wanted && kind ? `suggest ${path}` : '', () => get<Entity[]>(path));
  const entities = read.value?.data ?? [];
  return {
    found: entities.map((entity): Suggestion => ({ value: entity.id, label: titleOf(entity) })),
    isSettled: !kind || (late === text && isDone(read)),
  };
}

/** Suggests IDs of a resource and registered names, after the field gets the focus. */
export function useSuggestions(kind: string, names: string, text: string) {
  const [isIn, setIn] = useState(false);
  const { found, isSettled } = useEntities(kind, text, isIn);
  const said = useNames(names, text, isIn);
  return {
    suggestions: [...found, ...said.found],
    isSettled: isSettled && said.isSettled,
    onEnter: () => setIn(true),
  };
}

interface PickProps {
  attributes: Attributes;
  kind?: string;
  names?: string;
  value: string;
  onChange: (picked: string) => void;
  placeholder?: string;
}

/** Selects one ID or name. Other names are allowed. */
export function Pick({ kind = '', names = '', value, onChange, ...props }: PickProps) {
  const { suggestions, ...found } = useSuggestions(kind, names, value);
  const others = suggestions.filter((one) => one.value !== value);
  return (
    <Combo
      {...props}
      text={value}
      onText={onChange}
      onPick={onChange}
      {...found}
      suggestions={others}
      takesFirst={others.length === suggestions.length}
      look={kind ? 'input input-code' : 'input'}
    />
  );
}
