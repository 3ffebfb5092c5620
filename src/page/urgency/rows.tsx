import type { Experiment } from '../base/types.ts';
import { MiniAxis } from '../charts/mini.tsx';
import type { KindPage, TableProps } from '../entity/kind.ts';
import { NameCell, Selectable, Tags } from '../entity/list/table.tsx';
import { Status } from '../ui/status.tsx';
import { Lift, MiniOf } from './lift.tsx';
import { useSummaries } from './load.ts';
import { type Standing, standingOf } from './standing.ts';

interface ExperimentHeadsProps {
  hasTags: boolean;
}

const ExperimentHeads = ({ hasTags }: ExperimentHeadsProps) => (
  <>
    <th class="cell-head" scope="col">
      Experiment
    </th>
    <th class="cell-head" scope="col">
      State
    </th>
    <th class="cell-head cell-metric" scope="col">
      Primary metric
    </th>
    <th class="cell-head cell-mini" scope="col">
      <span class="unseen">Interval</span>
      <MiniAxis />
    </th>
    <th class="cell-head cell-lift" scope="col">
      Lift
    </th>
    {hasTags && (
      <th class="cell-head cell-extra" scope="col">
        Tags
      </th>
    )}
  </>
);

interface ExperimentCellsProps extends ExperimentHeadsProps {
  kind: KindPage<Experiment>;
  standing: Standing;
}

const ExperimentCells = ({ kind, standing, hasTags }: ExperimentCellsProps) => {
  const { experiment, status, when, metricName, word } = standing;
  return (
    <>
      <NameCell kind={kind} entity={experiment} />
      <td class="cell cell-status">
        <Status {...status} />
        <span class="cell-sub">{when}</span>
      </td>
      <td class="cell cell-own cell-metric">
        {metricName}
        <span class="cell-sub">{word}</span>
      </td>
      <td class="cell cell-mini">
        <MiniOf standing={standing} />
      </td>
      <td class="cell cell-lift">
        <Lift standing={standing} />
      </td>
      {hasTags && (
        <td class="cell cell-extra">
          <Tags kind={kind} tags={experiment.tags ?? []} />
        </td>
      )}
    </>
  );
};

/** The list of experiments: state, first primary metric and its interval, all on one axis. */
export function ExperimentRows(props: TableProps<Experiment>) {
  const { kind, rows } = props;
  const summaries = useSummaries(rows);
  const standings = new Map(
    rows.map((one) => [one.id, standingOf(one, summaries.value?.get(one.id))]),
  );
  const hasTags = rows.some(({ tags }) => tags && tags.length > 0);
  return (
    <>
      <Selectable
        {...props}
        heads={<ExperimentHeads hasTags={hasTags} />}
        cells={({ id }) => {
          const standing = standings.get(id);
          return standing && <ExperimentCells kind={kind} standing={standing} hasTags={hasTags} />;
        }}
      />
      <p class="list-foot">
        Intervals of the lift in the first primary metric. A running experiment with sequential
        testing shows the interval that is valid on any day.
      </p>
    </>
  );
}
