import { useState } from 'preact/hooks';
import { get } from '../api.ts';
import { whyNot } from '../session.tsx';
import { useGet } from '../use.ts';
import { count } from '../words.ts';
import { Combo, type Suggestion } from './combo.tsx';
import type { Attributes } from './field.tsx';

/** A name that entities say of others. */
interface Name {
  id: string;
  name?: string;
  /** How many say it. */
  uses: number;
}

/** How many are read, of which those that fit are suggested, and how many of these. */
const most = { read: 1000, suggested: 8 };

const usesInWords = (uses: number) => (uses === 0 ? 'not used yet' : count(uses, 'use'));

/** The names of a sort; environments are one list, without pages. */
async function readNames(path: string): Promise<Name[]> {
  const asked = path === 'environments' ? '' : `?limit=${most.read}`;
  const { data } = await get<Name[] | { environments: Name[] }>(`/${path}${asked}`);
  return Array.isArray(data) ? data : data.environments;
}

/**
 * The names that the project already says, as suggestions: those that hold some words, the most used first. None where
 * the key may not read them.
 * @param path of their list, such as `tags`; none for no suggestions
 * @param wanted whether they are to be read now
 */
export function useNames(path: string, words: string, wanted: boolean): Suggestion[] {
  const mayRead = whyNot(path === 'users' ? 'admin' : 'read') === undefined;
  const { value } = useGet(wanted && path && mayRead ? `names ${path}` : '', () => readNames(path));
  const sought = words.trim().toLowerCase();
  return (value ?? [])
    .filter(({ id, name = id }) => `${id} ${name}`.toLowerCase().includes(sought))
    .sort((a, b) => b.uses - a.uses)
    .slice(0, most.suggested)
    .map(({ id, name = id, uses }) => ({
      value: id,
      label: name,
      note: name === id ? usesInWords(uses) : undefined,
    }));
}

interface NameInputProps {
  attributes: Attributes;
  path: string;
  value: string;
  onChange: (name: string) => void;
  placeholder?: string | undefined;
  first?: boolean;
}

/** One name: one of those that are said already, or another. */
export function NameInput({ attributes, path, value, onChange, ...props }: NameInputProps) {
  const [isIn, setIn] = useState(false);
  const suggestions = useNames(path, value, isIn).filter((one) => one.value !== value);
  return (
    <Combo
      attributes={attributes}
      text={value}
      onText={onChange}
      onPick={onChange}
      onEnter={() => setIn(true)}
      suggestions={suggestions}
      placeholder={props.placeholder}
      first={props.first ?? false}
    />
  );
}
