import { useState } from 'preact/hooks';
import { randomID, together } from '../base/api.ts';
import { useTitle } from '../base/title.ts';
import { count } from '../base/words.ts';
import {
  type Aside,
  moveToDrafts,
  removeSaved,
  useChangeSet,
  useNote,
} from '../entity/review/change_set.ts';
import { Why } from '../entity/review/change_sheet.tsx';
import { useChange } from '../entity/review/check.ts';
import { differences } from '../entity/review/compare.ts';
import { Differences } from '../entity/review/differences.tsx';
import { AsRequest, CheckedLine, SendButtons, Warned } from '../entity/review/send.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Note } from '../ui/note.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { say } from '../ui/toast.tsx';

/** The page of edits that are saved together. */
export function ChangeSet() {
  useTitle('Change set');
  const set = useChangeSet();
  return (
    <>
      <PageHead title="Change set" />
      {set.length > 0 ? (
        <Filled set={set} />
      ) : (
        <Empty title="The change set is empty.">
          <p>Add edits when you review them, to save them together.</p>
        </Empty>
      )}
    </>
  );
}

function placeIn(set: Aside[], index: number | undefined): number {
  let end = 0;
  return set.findIndex(({ calls }) => {
    end += calls.length;
    return index !== undefined && index < end;
  });
}

function Filled({ set }: { set: Aside[] }) {
  const [once] = useState(randomID);
  const [note, setNote] = useNote();
  const calls = set.flatMap((aside) => aside.calls);
  const request = together(calls, `${once}-${calls.length}`);
  const change = useChange(request);
  const { checked, isStoring, store } = change;
  const run = (event: Event) => {
    event.preventDefault();
    store(note.trim(), () => {
      say(`${count(set.length, 'change')} saved.`);
      removeSaved(set);
    });
  };
  const faulty = placeIn(set, checked.problem?.index);
  return (
    <div class="stack">
      <ul class="rows-list">
        {set.map((aside, index) => (
          <ChangeSetEntry key={aside.page} aside={aside} isFaulty={index === faulty} />
        ))}
      </ul>
      {checked.problem && <ProblemNote problem={checked.problem} />}
      {checked.problem?.status === 412 && <OutdatedNote />}
      <Warned checked={checked} />
      <Why note={note} onChange={setNote} />
      <AsRequest request={{ ...request, note: note.trim() }} />
      <form class="row row-end" onSubmit={run}>
        <CheckedLine {...change} />
        <SendButtons
          {...change}
          label="Save all"
          cancel="Clear"
          onClose={() => isStoring || moveToDrafts(set)}
        />
      </form>
    </div>
  );
}

const OutdatedNote = () => (
  <Note look="info">Remove the outdated change to merge its draft with the newest version.</Note>
);

interface ChangeSetEntryProps {
  aside: Aside;
  isFaulty: boolean;
}

const ChangeSetEntry = ({ aside, isFaulty }: ChangeSetEntryProps) => (
  <li class={isFaulty ? 'card card-faulty' : 'card'}>
    <div class="card-head">
      <p class="card-title">
        <a href={aside.page}>{aside.title}</a>
      </p>
      <Button
        look="icon"
        icon="trash"
        label={`Remove ${aside.title}`}
        onClick={() => moveToDrafts([aside])}
      />
    </div>
    <Differences
      list={differences(aside.draft.base, { ...aside.draft.base, ...aside.draft.edits })}
    />
  </li>
);
