import type { ComponentChildren } from 'preact';
import { changesInWords } from '../compare.ts';
import { actionInWords } from '../history_words.ts';
import type { Revision } from '../types.ts';
import { Time } from '../ui/time.tsx';
import { Differences } from './differences.tsx';

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

/** Who made it, at a glance. */
export const Avatar = ({ name }: { name: string }) => (
  <span class="avatar" aria-hidden="true">
    {initials(name)}
  </span>
);

interface EntryProps {
  revision: Revision;
  /** What was changed, as the sentence names it: "this", or a link to it. */
  what: ComponentChildren;
  /** The state of that, where it is known. */
  state?: object;
  aside?: ComponentChildren;
}

/** Actions whose changes say less than the action itself. */
const bare = new Set(['create', 'delete']);

/** One change of the past, in a sentence and what it changed. */
export function Entry({ revision, what, state = {}, aside }: EntryProps) {
  const { actorName, action, time, version, changes, note } = revision;
  const isBack = changes.some(({ property, old }) => property === 'id' && !old); // as a whole
  const list = bare.has(action) || isBack ? [] : changesInWords(changes, state);
  return (
    <li class="entry">
      <Avatar name={actorName} />
      <div class="entry-words">
        <p>
          <strong>{actorName}</strong> {actionInWords(action)} {what}{' '}
          <span class="entry-when">
            <Time at={time} /> <span class="entry-version">version {version}</span>
          </span>
        </p>
        {note && <q class="entry-note">{note}</q>}
        <Differences list={list} />
      </div>
      {aside && <div class="entry-aside">{aside}</div>}
    </li>
  );
}
