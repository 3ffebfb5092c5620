import { useState } from 'preact/hooks';
import { randomID, together } from '../api.ts';
import { differences } from '../compare.ts';
import { type Aside, drop, takeBack, useChangeSet, useNote } from '../recipe/change_set.ts';
import { Why } from '../recipe/change_sheet.tsx';
import { useChange } from '../recipe/check.ts';
import { Differences } from '../recipe/differences.tsx';
import { AsRequest, CheckedLine, SendButtons, Warned } from '../recipe/send.tsx';
import { useTitle } from '../title.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Note } from '../ui/note.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { Refusal } from '../ui/problem.tsx';
import { say } from '../ui/toast.tsx';
import { count } from '../words.ts';

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
          <p>
            Choose “Add to change set” when you review an edit. The set is saved all together or not
            at all.
          </p>
        </Empty>
      )}
    </>
  );
}

/** Returns the index of the edit that contains a request, by the index of the request; -1 if none. */
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
      drop(set);
    });
  };
  const faulty = placeIn(set, checked.problem?.index);
  return (
    <div class="stack">
      <ul class="rows-list">
        {set.map((aside, index) => (
          <PutAside key={aside.page} aside={aside} isFaulty={index === faulty} />
        ))}
      </ul>
      {checked.problem && <Refusal problem={checked.problem} />}
      {checked.problem?.status === 412 && <Older />}
      <Warned checked={checked} />
      <Why note={note} onChange={setNote} />
      <AsRequest request={{ ...request, note: note.trim() }} />
      <form class="row row-end" onSubmit={run}>
        <CheckedLine {...change} />
        <SendButtons
          {...change}
          label="Save all"
          cancel="Clear"
          onClose={() => isStoring || takeBack(set)}
        />
      </form>
    </div>
  );
}

const Older = () => (
  <Note look="info">
    Remove the outdated change. It becomes a draft again, which you can merge with the newest
    version.
  </Note>
);

interface PutAsideProps {
  aside: Aside;
  isFaulty: boolean;
}

const PutAside = ({ aside, isFaulty }: PutAsideProps) => (
  <li class={isFaulty ? 'card card-faulty' : 'card'}>
    <div class="card-head">
      <p class="card-title">
        <a href={aside.page}>{aside.title}</a>
      </p>
      <Button
        look="icon"
        icon="trash"
        label={`Remove ${aside.title}`}
        onClick={() => takeBack([aside])}
      />
    </div>
    <Differences
      list={differences(aside.draft.base, { ...aside.draft.base, ...aside.draft.edits })}
    />
  </li>
);
