import { get } from '../base/api.ts';
import { whyNot } from '../base/session.ts';
import { isDone, useGet } from '../base/use.ts';
import { count } from '../base/words.ts';
import type { Suggestion } from './combo.tsx';

interface Name {
  id: string;
  name?: string;
  uses: number;
}

const limits = { read: 1000, suggested: 8 };

/** Returns how often a name is used, in words. */
export const usesInWords = (uses: number) => (uses === 0 ? 'not used' : count(uses, 'use'));

async function readNames(path: string): Promise<Name[]> {
  const asked = path === 'environments' ? '' : `?limit=${limits.read}`;
  const { data } = await get<Name[] | { environments: Name[] }>(`/${path}${asked}`);
  return Array.isArray(data) ? data : data.environments;
}

/** Suggests names from a list such as `tags`, most used first; none if the key can't read them. */
export function useNames(path: string, words: string, wanted: boolean) {
  const mayRead = whyNot(path === 'users' ? 'admin' : 'read') === undefined;
  const isRead = path !== '' && mayRead;
  const read = useGet(wanted && isRead ? `names ${path}` : '', () => readNames(path));
  const lowerWords = words.trim().toLowerCase();
  const found = (read.value ?? [])
    .filter(({ id, name = id }) => `${id} ${name}`.toLowerCase().includes(lowerWords))
    .sort((a, b) => b.uses - a.uses)
    .slice(0, limits.suggested)
    .map(
      ({ id, name = id, uses }): Suggestion => ({
        value: id,
        label: name,
        note: name === id ? usesInWords(uses) : undefined,
      }),
    );
  return { found, isSettled: !isRead || isDone(read) };
}
