import { useState } from 'preact/hooks';
import { randomID, together } from '../api.ts';
import { empty, takeBack, useChangeSet } from '../recipe/change_set.ts';
import { useChange } from '../recipe/check.ts';
import { AsRequest, CheckedLine, Refused, SendButtons } from '../recipe/send.tsx';
import { useTitle } from '../title.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { say } from '../ui/toast.tsx';
import { count } from '../words.ts';

/** Changes that were put aside in a review, to be stored as one or not at all. */
export function ChangeSet() {
  useTitle('Change set');
  const set = useChangeSet();
  const [once] = useState(randomID);
  const calls = set.flatMap((aside) => aside.calls);
  const request = calls.length > 0 ? together(calls, `${once}-${calls.length}`) : undefined;
  const { checked, isStoring, store, again } = useChange(request);
  const run = async () => {
    if (!(await store())) return;
    say(`${count(set.length, 'change')} stored.`);
    empty();
  };
  const at = checked.is === 'refused' ? checked.problem.index : undefined;
  const faulty = set.findIndex(
    (_, index) =>
      at !== undefined && at < set.slice(0, index + 1).flatMap((aside) => aside.calls).length,
  );
  return (
    <>
      <div class="page-head">
        <h1 class="page-title">Change set</h1>
      </div>
      {set.length === 0 && (
        <Empty title="No change was put aside.">
          <p>
            In a review, a change can be put into this set instead of being stored, so that several
            are stored as one, or not at all.
          </p>
        </Empty>
      )}
      {request && (
        <>
          <ul class="rows-list">
            {set.map((aside, index) => (
              <li key={index} class={index === faulty ? 'card card-faulty' : 'card'}>
                <div class="card-head">
                  <p class="card-title">{aside.title}</p>
                  <Button
                    look="icon"
                    icon="trash"
                    label={`Take ${aside.title} out`}
                    onClick={() => takeBack(index)}
                  />
                </div>
                {aside.calls.map(({ method, path }) => (
                  <p key={`${method} ${path}`}>
                    <code>{`${method} ${path}`}</code>
                  </p>
                ))}
              </li>
            ))}
          </ul>
          <Refused checked={checked} />
          <AsRequest request={request} />
          <div class="row row-end">
            <CheckedLine checked={checked} />
            <SendButtons
              checked={checked}
              isStoring={isStoring}
              label="Store all"
              cancel="Empty the set"
              onClose={empty}
              onStore={run}
              onAgain={again}
            />
          </div>
        </>
      )}
    </>
  );
}
