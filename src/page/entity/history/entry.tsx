import type { ComponentChildren } from 'preact';
import { actionInWords } from '../../base/history_words.ts';
import type { Revision } from '../../base/types.ts';
import { Time } from '../../ui/time.tsx';
import { changesInWords } from '../review/compare.ts';
import { Differences } from '../review/differences.tsx';

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

/** The initials of an actor. */
export const Avatar = ({ name }: { name: string }) => (
  <span class="avatar" aria-hidden="true">
    {initials(name)}
  </span>
);

interface EntryProps {
  revision: Revision;
  what: ComponentChildren;
  state?: object;
  aside?: ComponentChildren;
}

const withoutDetails = new Set(['create', 'delete']);

export function Entry({ revision, what, state = {}, aside }: EntryProps) {
  const { actorName, action, time, version, changes, note } = revision;
  const isRestored = changes.some(({ property, old }) => property === 'id' && !old); // restored after a deletion
  const list = withoutDetails.has(action) || isRestored ? [] : changesInWords(changes, state);
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
