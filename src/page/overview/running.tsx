import { pageOf } from '../base/history_words.ts';
import type { Experiment } from '../base/types.ts';
import { count, titleOf } from '../base/words.ts';
import { MiniAxis } from '../charts/mini.tsx';
import { dayOfRun } from '../experiment/days.ts';
import { Status } from '../ui/status.tsx';
import type { StatusLook } from '../ui/status_look.ts';
import { Lift, MiniOf } from '../urgency/lift.tsx';
import type { Standing } from '../urgency/standing.ts';
import { Box } from './box.tsx';

const maxRows = 6;
const width = 140;

function runningHealth({ experiment, situation }: Standing): StatusLook {
  const { healthChecks, healthCheckStatus } = experiment;
  if (healthCheckStatus === 'FAILED')
    return { tone: 'bad', word: situation.isUnbalanced ? 'Unbalanced' : 'Failed' };
  if (healthCheckStatus === 'WARNING') {
    const warnings = healthChecks.filter(({ status }) => status === 'WARNING').length;
    return { tone: 'waiting', word: count(warnings, 'warning') };
  }
  return healthCheckStatus === 'PASSED'
    ? { tone: 'done', word: 'Fine' }
    : { tone: 'idle', word: 'Waiting' };
}

const Progress = ({ experiment: { startTime, duration } }: { experiment: Experiment }) => {
  const share = startTime === null ? 0 : Math.max(0, Math.min(1, dayOfRun(startTime) / duration));
  return (
    <svg class="meter" width="80" height="6" aria-hidden="true">
      <rect class="meter-ground" width="80" height="6" rx="3" />
      <rect class="meter-fill" width={80 * share} height="6" rx="3" />
    </svg>
  );
};

const RunningRow = ({ standing }: { standing: Standing }) => {
  const { experiment, metricName, when } = standing;
  return (
    <tr>
      <th class="c-first" scope="row">
        <span class="sc-name">
          <a href={pageOf({ path: 'experiments' }, experiment.id)}>{titleOf(experiment)}</a>
        </span>
        <span class="sc-sub">{metricName}</span>
      </th>
      <td class="c-health">
        <Status {...runningHealth(standing)} />
      </td>
      <td class="c-days">
        <Progress experiment={experiment} />
        <span class="sc-sub">{when}</span>
      </td>
      <td class="c-mini">
        <MiniOf standing={standing} width={width} />
      </td>
      <td class="c-num c-lift">
        <Lift standing={standing} />
      </td>
    </tr>
  );
};

/** The running experiments, broken ones first, with their first primary result. */
export function Running({ standings }: { standings: Standing[] }) {
  const running = standings.filter(({ urgency }) => urgency === 'running' || urgency === 'broken');
  return (
    <Box
      title="Running experiments"
      side={<a href="/experiments?status=active">{`All ${running.length}`}</a>}
    >
      {running.length === 0 ? (
        <p class="box-none">No experiment is running.</p>
      ) : (
        <table class="sc sc-home">
          <thead>
            <tr>
              <th class="c-first" scope="col">
                Experiment
              </th>
              <th scope="col">Health</th>
              <th scope="col">Progress</th>
              <th class="c-mini" scope="col">
                <span class="unseen">Interval</span>
                <MiniAxis width={width} />
              </th>
              <th class="c-num" scope="col">
                Lift
              </th>
            </tr>
          </thead>
          <tbody>
            {running.slice(0, maxRows).map((standing) => (
              <RunningRow key={standing.experiment.id} standing={standing} />
            ))}
          </tbody>
        </table>
      )}
    </Box>
  );
}
