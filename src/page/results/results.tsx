import { useState } from 'preact/hooks';
import { dayLength } from '../../shared/durations.ts';
import { TableOf } from '../charts/table_of.tsx';
import type { KindPage } from '../recipe/kind.ts';
import type { Experiment } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import { useRead } from '../use.ts';
import type { GroupExposures, Health as HealthData, Spark } from './api_types.ts';
import { conditionsOf } from './conditions.ts';
import { DecisionPanel } from './decision.tsx';
import { Dimensions } from './dimensions.tsx';
import { download } from './download.ts';
import { Exposures } from './exposures.tsx';
import { VerdictHead } from './head.tsx';
import { Health } from './health.tsx';
import { Folded, Scorecard, ScorecardFoot, tableOf } from './scorecard.tsx';
import { allOf, correctionsOf, situationOf } from './situation.ts';
import type { PulseResults, Result } from './types.ts';
import { type Situation, stateOf, verdictOf } from './verdict.ts';
import { queryOf, useView, type View } from './view.ts';

interface ResultsProps {
  kind: KindPage<Experiment>;
  experiment: Experiment;
}

const plannedEndOf = ({ startTime, duration }: Experiment) =>
  startTime === null ? null : startTime + duration * dayLength;

const optionsOf = (groups: Experiment['groups'], nameOf = (name: string) => name) =>
  Object.fromEntries(groups.map(({ id, name }) => [id, nameOf(name)]));

/** Reads all that the tab displays at once. */
function useResults(path: string, query: string, view: View) {
  const hasTest = view.test !== '';
  const pair = new URLSearchParams({ control: view.control, test: view.test });
  return {
    read: useRead<PulseResults>(hasTest ? `${path}/pulse_results?${query}` : ''),
    health: useRead<HealthData>(`${path}/health`),
    exposures: useRead<GroupExposures[]>(`${path}/cumulative_exposures`),
    sparks: useRead<Spark[]>(hasTest ? `${path}/pulse_sparks?${pair}` : ''),
  };
}

/** The results of an experiment, read by the view in the address. */
export function Results({ kind, experiment }: ResultsProps) {
  const path = `/experiments/${encodeURIComponent(experiment.id)}`;
  const { view, setView, groups } = useView(experiment);
  const query = queryOf(view);
  const { read, health, exposures, sparks } = useResults(path, query, view);
  if (view.test === '') return <p>Results need a control and at least one other group.</p>;
  if (!read.value) return <ReadStatus {...read} lines={6} />;
  if (!health.value) return <ReadStatus {...health} lines={6} />;
  return (
    <LoadedResults
      {...{ kind, experiment, path, query, view, setView, groups }}
      results={read.value.data}
      health={health.value.data}
      exposures={exposures.value?.data}
      sparks={sparks.value?.data ?? []}
    />
  );
}

interface LoadedProps extends ResultsProps {
  path: string;
  query: string;
  view: View;
  setView: (edits: Partial<View>) => void;
  groups: Experiment['groups'];
  results: PulseResults;
  health: HealthData;
  exposures: GroupExposures[] | undefined;
  sparks: Spark[];
}

interface PartProps extends LoadedProps {
  situation: Situation;
  isHidden: boolean;
}

/** Verdict, health, exposures, scorecard, dimensions and decision. */
function LoadedResults(props: LoadedProps) {
  const { kind, experiment, path, query, view, setView, groups, results, health } = props;
  const [isUnfolded, setUnfolded] = useState(false);
  const primary = results.primaryMetrics[0] ?? results.secondaryMetrics[0];
  const conditions = conditionsOf(experiment.decisionRule, allOf(results));
  const situation = situationOf({ experiment, view, results, health, conditions });
  const verdict = verdictOf(stateOf(situation, primary), primary, situation);
  const isHidden = situation.isUnbalanced && !isUnfolded;
  return (
    <div class="res">
      <div class="res-main">
        <VerdictHead {...{ verdict, experiment, results, view, setView, path }} />
        <Health health={health} />
        {props.exposures && (
          <Exposures
            groups={props.exposures}
            order={groups.map(({ id }) => id)}
            planned={situation.plannedUnits}
            plannedEnd={plannedEndOf(experiment)}
          />
        )}
        <ScorecardPart
          {...props}
          situation={situation}
          isHidden={isHidden}
          onUnfold={() => setUnfolded(true)}
        />
        {!isHidden && (
          <DimensionsPart {...props} primary={primary} confidence={situation.confidence} />
        )}
        <p class="small">
          <Button
            look="link"
            onClick={() => download(`${path}/pulse_results?${query}`, experiment.id)}
          >
            Download CSV
          </Button>
        </p>
      </div>
      <DecisionPanel
        {...{ kind, experiment, verdict, situation, conditions, primary }}
        test={{ id: view.test, name: situation.test }}
        control={{ id: view.control, name: situation.control }}
      />
    </div>
  );
}

function ScorecardPart(props: PartProps & { onUnfold: () => void }) {
  const { experiment, view, setView, groups, results, situation, isHidden } = props;
  const { isBayesian, confidence } = situation;
  const tests = groups.filter(({ id }) => id !== view.control);
  return (
    <section class="box" aria-label="Scorecard">
      <div class="box-head">
        <h2 class="box-title">Scorecard</h2>
        <div class="box-side">
          {tests.length > 1 && (
            <Select
              aria-label="Test group"
              value={view.test}
              options={optionsOf(tests)}
              onChoose={(test) => setView({ test })}
            />
          )}
          <Select
            aria-label="Against"
            value={view.control}
            options={optionsOf(groups, (name) => `against ${name}`)}
            onChoose={(control) => setView({ control, test: undefined })}
          />
        </div>
      </div>
      {isHidden ? (
        <Folded onOpen={props.onUnfold} />
      ) : (
        <TableOf name="scorecard" table={tableOf(results)}>
          <Scorecard
            {...{ path: props.path, query: props.query, results, confidence, isBayesian }}
            sparks={props.sparks}
            plannedEnd={plannedEndOf(experiment)}
            isUntrusted={situation.isUnbalanced}
            zone={situation.zone}
            corrections={correctionsOf(experiment, results)}
            controlName={situation.control}
            testName={situation.test}
            testIndex={Math.max(
              1,
              groups.findIndex(({ id }) => id === view.test),
            )}
            open={view.open}
            onOpen={(open) => setView({ open })}
            series={view.series ?? 'cumulative'}
            onSeries={(series) => setView({ series })}
          />
          <ScorecardFoot confidence={confidence} isBayesian={isBayesian} />
        </TableOf>
      )}
    </section>
  );
}

function DimensionsPart(props: LoadedProps & { primary: Result | undefined; confidence: number }) {
  const { experiment, path, query, view, setView, results, primary, confidence } = props;
  const all = allOf(results);
  const metric = view.metric ?? primary?.metricID ?? '';
  const dimensions = (experiment.preComputedUserDimensions ?? []).map((one) =>
    typeof one === 'string' ? one : one.name,
  );
  if (dimensions.length === 0 || all.length === 0) return null;
  return (
    <Dimensions
      {...{ path, query, metric, dimensions, confidence }}
      metrics={Object.fromEntries(all.map((one) => [one.metricID, one.metricName]))}
      onMetric={(next) => setView({ metric: next })}
      dimension={view.dimension ?? dimensions[0] ?? ''}
      onDimension={(dimension) => setView({ dimension })}
      all={all.find(({ metricID }) => metricID === metric)}
    />
  );
}
