import { useState } from 'preact/hooks';
import type { Experiment } from '../../base/types.ts';
import { dayOf } from '../../base/words.ts';
import { TableOf } from '../../charts/table_of.tsx';
import { Button } from '../../ui/button.tsx';
import { Seg } from '../../ui/seg.tsx';
import { Select } from '../../ui/select.tsx';
import type { Compared } from '../frame/compared.ts';
import { resultsAsCSV } from '../frame/csv.ts';
import { download } from '../frame/download.ts';
import type { Situation } from '../frame/state.ts';
import { queryOf, type View } from '../frame/view.ts';
import { correctionsOf } from '../verdict/situation.ts';
import { Scorecard, ScorecardFoot, Unread } from './scorecard.tsx';
import { scorecardTable } from './text.ts';

interface ScorecardPartProps {
  experiment: Experiment;
  path: string;
  view: View;
  setView: (edits: Partial<View>) => void;
  groups: Experiment['groups'];
  compared: Compared[];
  situation: Situation;
  plannedEnd: number | null;
}

const optionsOf = (groups: Experiment['groups'], nameOf = (name: string) => name) =>
  Object.fromEntries(groups.map(({ id, name }) => [id, nameOf(name)]));

const maxButtons = 4;

function GroupChoice({
  groups,
  view,
  setView,
}: Pick<ScorecardPartProps, 'groups' | 'view' | 'setView'>) {
  const tests = groups.filter(({ id }) => id !== view.control);
  const options = { '': 'All groups', ...optionsOf(tests) };
  const choose = (test: string) => setView({ test, open: undefined, openGroup: undefined });
  return (
    <>
      {tests.length > 1 && tests.length < maxButtons && (
        <Seg label="Groups" options={options} value={view.test} onChoose={choose} />
      )}
      {tests.length >= maxButtons && (
        <Select aria-label="Groups" value={view.test} options={options} onChoose={choose} />
      )}
      <Select
        aria-label="Against"
        value={view.control}
        options={optionsOf(groups, (name) => `against ${name}`)}
        onChoose={(control) => setView({ control, test: undefined })}
      />
    </>
  );
}

function Body(props: ScorecardPartProps) {
  const { experiment, path, view, setView, compared, situation } = props;
  const { isBayesian, confidence, isUnbalanced, zone, control } = situation;
  return (
    <TableOf name="scorecard" table={scorecardTable(compared, isBayesian)}>
      <Scorecard
        {...{ path, compared, confidence, isBayesian, zone }}
        plannedEnd={props.plannedEnd}
        isUntrusted={isUnbalanced}
        corrections={correctionsOf(experiment, compared)}
        controlName={control}
        queryOf={(test) => queryOf(view, test)}
        open={{ metricID: view.open, test: view.openGroup }}
        onOpen={(open, openGroup) => setView({ open, openGroup })}
        series={view.series ?? 'cumulative'}
        onSeries={(series) => setView({ series })}
      />
      <ScorecardFoot confidence={confidence} isBayesian={isBayesian} />
    </TableOf>
  );
}

/** The scorecard with its switches. */
export function ScorecardPart(props: ScorecardPartProps) {
  const { experiment, view, setView, groups, compared, situation } = props;
  const [isUnfolded, setUnfolded] = useState(false);
  const { isUnbalanced, control } = situation;
  const { decisionTime } = experiment;
  const isFolded = isUnbalanced && !isUnfolded;
  return (
    <section class={`box${isUnbalanced ? ' box-bad' : ''}`} aria-label="Scorecard">
      {isUnbalanced && <Unread isFolded={isFolded} onToggle={() => setUnfolded(isFolded)} />}
      {!isFolded && (
        <>
          <div class="box-head">
            <h2 class="box-title">
              {decisionTime === null ? 'Scorecard' : `Scorecard on ${dayOf(decisionTime)}`}
            </h2>
            <div class="box-side">
              <GroupChoice groups={groups} view={view} setView={setView} />
              <Button
                look="link"
                onClick={() =>
                  download(resultsAsCSV(control, compared), `${experiment.id} results`)
                }
              >
                CSV
              </Button>
            </div>
          </div>
          <Body {...props} />
        </>
      )}
    </section>
  );
}
