import { useMemo } from 'preact/hooks';
import { dayLength } from '../../base/time.ts';
import { get } from '../base/api.ts';
import { pageOf } from '../base/history_words.ts';
import type { Experiment } from '../base/types.ts';
import { useGet, useRead } from '../base/use.ts';
import type { KindPage } from '../entity/kind.ts';
import { lazy } from '../ui/lazy.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import type { GroupExposures, Health as HealthData, Spark } from './frame/api_types.ts';
import { allOf, type Compared, primaryOf } from './frame/compared.ts';
import type { PulseResults } from './frame/types.ts';
import { useView } from './frame/use_view.ts';
import { queryOf, type View } from './frame/view.ts';
import { Exposures } from './health/exposures.tsx';
import { Health } from './health/health.tsx';
import { DimensionsPart } from './scorecard/dimensions.tsx';
import { ScorecardPart } from './scorecard/part.tsx';
import { conditionsOf } from './verdict/conditions.ts';
import { DecisionPanel } from './verdict/decision.tsx';
import { VerdictHead } from './verdict/head.tsx';
import { situationOf } from './verdict/situation.ts';
import { leadOf, verdictOfAll } from './verdict/verdict_all.ts';

const WhereItBegan = lazy(() => import('./health/chunk.ts').then((module) => module.WhereItBegan));
const Decided = lazy(() => import('./health/chunk.ts').then((module) => module.Decided));

interface ResultsProps {
  kind: KindPage<Experiment>;
  experiment: Experiment;
}

const plannedEndOf = ({ startTime, duration }: Experiment) =>
  startTime === null ? null : startTime + duration * dayLength;

function useCompared(path: string, view: View, tests: string[]) {
  const addresses = tests.map((test) => `${path}/pulse_results?${queryOf(view, test)}`);
  const name = addresses.length > 0 ? `compared ${addresses.join(' ')}` : '';
  return useGet(name, () =>
    Promise.all(addresses.map((address) => get<PulseResults>(address).then(({ data }) => data))),
  );
}

function useSparks(path: string, { control }: View, tests: string[]) {
  const [only] = tests.length === 1 ? tests : [];
  const pair = new URLSearchParams({ control, test: only ?? '' });
  return useRead<Spark[]>(only ? `${path}/pulse_sparks?${pair}` : '');
}

/** The results of an experiment, read by the view in the address. */
export function Results({ kind, experiment }: ResultsProps) {
  const path = `/experiments/${encodeURIComponent(experiment.id)}`;
  const { view, setView, groups } = useView(experiment);
  const tests = groups.filter(({ id }) =>
    view.test === '' ? id !== view.control : id === view.test,
  );
  const ids = tests.map(({ id }) => id);
  const read = useCompared(path, view, ids);
  const health = useRead<HealthData>(`${path}/health`);
  const exposures = useRead<GroupExposures[]>(`${path}/cumulative_exposures`);
  const sparks = useSparks(path, view, ids);
  const compared = useMemo(
    () =>
      read.value?.map((results, at) => ({
        id: tests[at]?.id ?? '',
        name: tests[at]?.name ?? '',
        index: groups.findIndex(({ id }) => id === tests[at]?.id),
        results,
        sparks: sparks.value?.data ?? [],
      })),
    [read.value, sparks.value, experiment, view.control],
  );
  if (tests.length === 0) return <p>Results need a control and at least one other group.</p>;
  if (!compared) return <ReadStatus {...read} lines={6} />;
  if (!health.value) return <ReadStatus {...health} lines={6} />;
  return (
    <LoadedResults
      {...{ kind, experiment, path, view, setView, groups, compared }}
      health={health.value.data}
      exposures={exposures.value?.data}
    />
  );
}

interface LoadedResultsProps extends ResultsProps {
  path: string;
  view: View;
  setView: (edits: Partial<View>) => void;
  groups: Experiment['groups'];
  compared: Compared[];
  health: HealthData;
  exposures: GroupExposures[] | undefined;
}

function judge({ experiment, view, compared, health }: LoadedResultsProps) {
  const rules = experiment.decisionRule;
  const judged = compared.map(({ id, results }) => {
    const conditions = conditionsOf(rules, allOf(results));
    const known = { experiment, view, test: id, results, health, conditions };
    return { conditions, situation: situationOf(known), result: primaryOf(results) };
  });
  const launched = compared.findIndex(({ id }) => id === experiment.launchedGroupID);
  const at = launched < 0 ? leadOf(judged) : launched;
  const isDecided = experiment.launchedGroupID !== null;
  const verdict = verdictOfAll(isDecided ? judged.slice(at, at + 1) : judged);
  return { verdict, lead: judged[at], group: compared[at] };
}

function LoadedResults(props: LoadedResultsProps) {
  const { kind, experiment, path, view, setView, groups, compared, health, exposures } = props;
  const { verdict, lead, group } = judge(props);
  if (!verdict || !lead || !group) return null;
  const { situation, conditions } = lead;
  const control = { id: view.control, name: situation.control };
  const page = pageOf(kind, experiment.id);
  const plannedEnd = plannedEndOf(experiment);
  const isDecided = situation.shipped !== undefined;
  return (
    <div class="res">
      <div class="res-main">
        <VerdictHead
          {...{ verdict, experiment, view, setView, path, compared }}
          results={group.results}
        />
        <Health health={health} />
        {isDecided && <Decided experiment={experiment} page={page} />}
        {situation.isUnbalanced && (
          <WhereItBegan
            {...{ page, control, exposures }}
            id={experiment.id}
            balance={health.balance}
          />
        )}
        {exposures && !isDecided && !situation.isUnbalanced && (
          <Exposures
            id={experiment.id}
            groups={exposures}
            order={groups.map(({ id }) => id)}
            planned={situation.plannedUnits}
            plannedEnd={plannedEnd}
          />
        )}
        <ScorecardPart
          {...{ experiment, path, view, setView, groups, compared, situation, plannedEnd }}
        />
        {!situation.isUnbalanced && (
          <DimensionsPart
            {...{ experiment, path, view, setView }}
            query={queryOf(view, group.id)}
            results={group.results}
            confidence={situation.confidence}
          />
        )}
      </div>
      <DecisionPanel
        {...{ kind, experiment, verdict, situation, conditions, control }}
        primary={lead.result}
        test={{ id: group.id, name: group.name }}
        isSeveral={compared.length > 1}
        balance={health.balance.pValue}
      />
      <a class="to-panel" href="#decision">
        Decision
      </a>
    </div>
  );
}
