import { useState } from 'preact/hooks';
import type { Experiment } from '../base/types.ts';
import type { Editing, KindPage } from '../entity/kind.ts';
import { Baselines } from './baseline.tsx';
import { useEstimates, withEstimates } from './estimates.ts';
import { JudgedBy } from './judged.tsx';
import { Panel } from './panel.tsx';
import { Planner } from './planner.tsx';
import { judgedOf } from './roles.ts';
import { useTypedPlan } from './typed.ts';

interface PlanProps {
  kind: KindPage<Experiment>;
  editing: Editing<Experiment>;
}

/** The tab before the start: duration, metrics with their rules, and the checklist. */
export function Plan({ kind, editing }: PlanProps) {
  const { stored, value, lock } = editing;
  const isLocked = stored.status !== 'setup' || lock !== undefined;
  const [typed, setTyped] = useTypedPlan(stored.id);
  const [days, setDays] = useState('14');
  const [chosenID, setChosen] = useState('');
  const metrics = judgedOf(value);
  const chosen = metrics.find(({ id }) => id === chosenID) ?? metrics[0];
  const estimates = useEstimates(stored.id, metrics, days);
  const known = withEstimates(typed, estimates);
  const isSetup = stored.status === 'setup';
  return (
    <div class={isSetup ? 'res' : 'res res-plain'}>
      <div class="res-main">
        {chosen && (
          <Planner
            key={chosen.id}
            {...{ editing, metrics, chosen, isLocked }}
            typed={known}
            onChoose={setChosen}
          >
            <Baselines
              {...{ chosen, typed, days }}
              estimate={estimates?.get(chosen.id)}
              isLoaded={estimates !== undefined}
              onDays={setDays}
              onType={setTyped}
            />
          </Planner>
        )}
        <JudgedBy {...{ editing, metrics, isLocked }} typed={known} />
      </div>
      {isSetup && <Panel kind={kind} editing={editing} />}
    </div>
  );
}
