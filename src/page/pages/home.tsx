import { get } from '../api.ts';
import { addressOf } from '../history_words.ts';
import { dayOfRun } from '../kinds/experiment_stages.tsx';
import { textOf } from '../location.ts';
import { useDrafts } from '../recipe/draft.ts';
import { whoIsIn } from '../session.tsx';
import { useTitle } from '../title.ts';
import type { Entity, Experiment, Gate, Release, Revision } from '../types.ts';
import { Bar } from '../ui/bar.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { Refusal } from '../ui/problem.tsx';
import { Section } from '../ui/section.tsx';
import { useGet } from '../use.ts';
import { count, number, titleOf } from '../words.ts';
import { byRequest, Request } from './audit.tsx';
import { FirstSteps } from './first_steps.tsx';

/** How many entities a list has. */
const totalOf = async (path: string) =>
  (await get<Entity[]>(`${path}&limit=1`)).pagination.totalItems;

const statuses = [
  { words: 'In progress', status: 'In Progress' },
  { words: 'Launched', status: 'Launched' },
  { words: 'Disabled', status: 'Disabled' },
];

async function readHome() {
  const [totals, running, stale, waiting, latest] = await Promise.all([
    Promise.all(
      statuses.map(({ status }) => totalOf(`/gates?status=${encodeURIComponent(status)}`)),
    ),
    get<Experiment[]>('/experiments?status=active&limit=6'),
    get<Gate[]>('/gates?stale=true&limit=6'),
    get<Release[]>('/release_pipeline_triggers?status=WAITING_FOR_REVIEW&limit=6'),
    get<Revision[]>('/audit_logs?limit=12'),
  ]);
  return { totals, running, stale, waiting, latest: latest.data };
}

/** How things stand. */
export function Home() {
  useTitle('Home');
  const { value, problem, again } = useGet('home', readHome);
  if (!value && !problem) return <Loading lines={10} />;
  return (
    <>
      <PageHead title={`Hello, ${whoIsIn()?.name ?? ''}`} />
      {!value && problem && <Refusal problem={problem} onAgain={again} />}
      {value && value.latest.length > 0 && <Standing {...value} />}
      {value?.latest.length === 0 && (
        <>
          <FirstSteps />
          <Unstored />
        </>
      )}
    </>
  );
}

/** What is under way, what waits, and what was changed last. */
function Standing({
  totals,
  running,
  stale,
  waiting,
  latest,
}: Awaited<ReturnType<typeof readHome>>) {
  return (
    <>
      <Sums totals={totals} running={running.pagination.totalItems} />
      <div class="columns">
        <div class="stack">
          <Unstored />
          <Running experiments={running.data} />
          <Waiting releases={waiting.data} />
          <Stale gates={stale.data} total={stale.pagination.totalItems} />
        </div>
        <Section title="Latest changes">
          <ol class="timeline">
            {byRequest(latest).map((revisions) => (
              <Request key={revisions[0]?.requestID} revisions={revisions} />
            ))}
          </ol>
          <a href="/audit_logs">The whole audit log</a>
        </Section>
      </div>
    </>
  );
}

const Sums = ({ totals, running }: { totals: number[]; running: number }) => (
  <div class="sums">
    {statuses.map(({ words, status }, index) => (
      <a key={status} class="sum" href={`/gates?status=${encodeURIComponent(status)}`}>
        <span class="sum-name">{`Gates ${words.toLowerCase()}`}</span>
        <strong class="sum-number">{number(totals[index] ?? 0)}</strong>
      </a>
    ))}
    <a class="sum" href="/experiments?status=active">
      <span class="sum-name">Experiments running</span>
      <strong class="sum-number">{number(running)}</strong>
    </a>
  </div>
);

/** What was typed in this tab and is not stored yet. */
function Unstored() {
  const drafts = useDrafts();
  if (drafts.length === 0) return null;
  return (
    <Section title="Not stored yet">
      <ul class="used-list">
        {drafts.map((address) => (
          <li key={address} class="used-item">
            <a href={address}>{textOf(address.slice(1))}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const dayOf = ({ startTime }: Experiment) => dayOfRun(startTime ?? Date.now());

const Running = ({ experiments }: { experiments: Experiment[] }) => (
  <Section title="Running experiments">
    {experiments.length === 0 && <Empty title="None is running." />}
    <ul class="used-list">
      {experiments.map((experiment) => (
        <li key={experiment.id} class="used-item used-item-between">
          <a href={addressOf('experiment', experiment.id)}>{titleOf(experiment)}</a>
          <span class="bar-line quiet">
            <Bar percent={Math.min(100, (dayOf(experiment) / experiment.duration) * 100)} />
            {`day ${dayOf(experiment)} of ${experiment.duration}`}
          </span>
        </li>
      ))}
    </ul>
  </Section>
);

const Waiting = ({ releases }: { releases: Release[] }) =>
  releases.length > 0 && (
    <Section title="Releases that wait for review">
      <ul class="used-list">
        {releases.map(({ id, gateID, dynamicConfigID, currentPhase }) => (
          <li key={id} class="used-item">
            <a href={addressOf('release_pipeline_trigger', id)}>{gateID || dynamicConfigID}</a>
            <span class="quiet">{currentPhase}</span>
          </li>
        ))}
      </ul>
    </Section>
  );

const Stale = ({ gates, total }: { gates: Gate[]; total: number }) => (
  <Section title="Gates that could go">
    {gates.length === 0 && <Empty title="Every temporary gate is still at work." />}
    <ul class="used-list">
      {gates.map((gate) => (
        <li key={gate.id} class="used-item">
          <a href={addressOf('gate', gate.id)}>{titleOf(gate)}</a>
        </li>
      ))}
    </ul>
    {total > gates.length && <a href="/gates?stale=true">{`All ${count(total, 'gate')}`}</a>}
  </Section>
);
