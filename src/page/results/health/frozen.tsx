import type { ComponentChildren } from 'preact';
import type { Experiment } from '../../base/types.ts';
import { useStored } from '../../base/use.ts';
import { dayOf } from '../../base/words.ts';
import { Copy } from '../../ui/copy.tsx';

interface DecidedProps {
  experiment: Experiment;
  page: string;
}

const Reason = ({ experiment, page }: DecidedProps) => (
  <section class="reason" aria-label="Reason of the decision">
    <p>{experiment.decisionReason ? `“${experiment.decisionReason}”` : 'No reason was given.'}</p>
    <p class="small">
      {experiment.decisionTime !== null && `Decided on ${dayOf(experiment.decisionTime)} · `}
      <a href={`${page}/history`}>history</a>
    </p>
  </section>
);

interface StepProps {
  isDone: boolean;
  onDone: (isDone: boolean) => void;
  children: ComponentChildren;
}

const Step = ({ isDone, onDone, children }: StepProps) => (
  <li class="step">
    <label>
      <input
        type="checkbox"
        checked={isDone}
        onChange={({ currentTarget }) => onDone(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  </li>
);

function WhatToDo({ experiment, page }: DecidedProps) {
  const [stored, setStored] = useStored(`steps of ${experiment.id}`, '');
  const done = new Set(stored.split(' ').filter(Boolean));
  const parameters = Object.keys(experiment.groups[0]?.parameterValues ?? {});
  const steps: Record<string, ComponentChildren> = {
    announce: <b>Announce it.</b>,
    ...(parameters.length > 0 && {
      remove: (
        <>
          <b>{`Remove the ${parameters.length === 1 ? 'parameter' : 'parameters'}`}</b>{' '}
          {parameters.map((name) => (
            <code key={name}>{name} </code>
          ))}
          from the code.
        </>
      ),
    }),
    ...(experiment.status !== 'archived' && {
      archive: (
        <>
          <b>Archive the experiment</b> when the code is gone.
        </>
      ),
    }),
  };
  const names = Object.keys(steps);
  const toggle = (name: string, isDone: boolean) => {
    const next = new Set(done);
    if (isDone) next.add(name);
    else next.delete(name);
    setStored([...next].join(' '));
  };
  return (
    <section class="box" aria-label="What to do now">
      <div class="box-head">
        <h2 class="box-title">What to do now</h2>
        <span class="small">{`${names.filter((name) => done.has(name)).length} of ${names.length} done`}</span>
        <div class="box-side">
          <Copy
            text={`${location.origin}${page}`}
            label="Copy the link to these results"
            words="Copy link"
          />
        </div>
      </div>
      <ul class="steps">
        {names.map((name) => (
          <Step key={name} isDone={done.has(name)} onDone={(isDone) => toggle(name, isDone)}>
            {steps[name]}
          </Step>
        ))}
      </ul>
    </section>
  );
}

/** The reason of a decision, and the steps after it. */
export const Decided = (props: DecidedProps) => (
  <>
    <Reason {...props} />
    <WhatToDo {...props} />
  </>
);
