import { get } from '../api.ts';
import { useDrafts } from '../recipe/draft.ts';
import { whoIsIn } from '../session.tsx';
import { useTitle } from '../title.ts';
import type { Entity, Experiment, Gate, Release, Revision } from '../types.ts';
import { Bar } from '../ui/bar.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { Refusal } from '../ui/problem.tsx';
import { useGet } from '../use.ts';
import { count, number, titleOf } from '../words.ts';
import { byRequest, Request } from './audit.tsx';

const day = 86_400_000;

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

const dayOfRun = ({ startTime }: Experiment) =>
  Math.floor((Date.now() - (startTime ?? Date.now())) / day) + 1;

/** How things stand. */
export function Home() {
  useTitle('Home');
  const drafts = useDrafts();
  const { value, problem, again } = useGet('home', readHome);
  if (!value)
    return problem ? <Refusal problem={problem} onAgain={again} /> : <Loading lines={10} />;
  const { totals, running, stale, waiting, latest } = value;
  return (
    <>
      <div class="page-head">
        <h1 class="page-title">{`Hello, ${whoIsIn()?.name ?? ''}`}</h1>
      </div>
      <div class="sums">
        {statuses.map(({ words, status }, index) => (
          <a key={status} class="sum" href={`/gates?status=${encodeURIComponent(status)}`}>
            <span class="sum-name">{`Gates ${words.toLowerCase()}`}</span>
            <strong class="sum-number">{number(totals[index] ?? 0)}</strong>
          </a>
        ))}
        <a class="sum" href="/experiments?status=active">
          <span class="sum-name">Experiments running</span>
          <strong class="sum-number">{number(running.pagination.totalItems)}</strong>
        </a>
      </div>
      <div class="columns columns-home">
        <div class="stack">
          {drafts.length > 0 && (
            <section class="used">
              <h2 class="section-title">Not stored yet</h2>
              <ul class="used-list">
                {drafts.map((address) => (
                  <li key={address} class="used-item">
                    <a href={address}>{decodeURIComponent(address.slice(1))}</a>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section class="used">
            <h2 class="section-title">Running experiments</h2>
            {running.data.length === 0 && <Empty title="None is running." />}
            <ul class="used-list">
              {running.data.map((experiment) => (
                <li key={experiment.id} class="used-item used-item-between">
                  <a href={`/experiments/${encodeURIComponent(experiment.id)}`}>
                    {titleOf(experiment)}
                  </a>
                  <span class="bar-line quiet">
                    <Bar
                      percent={Math.min(100, (dayOfRun(experiment) / experiment.duration) * 100)}
                    />
                    {`day ${dayOfRun(experiment)} of ${experiment.duration}`}
                  </span>
                </li>
              ))}
            </ul>
          </section>
          {waiting.data.length > 0 && (
            <section class="used">
              <h2 class="section-title">Releases that wait for review</h2>
              <ul class="used-list">
                {waiting.data.map((release) => (
                  <li key={release.id} class="used-item">
                    <a href={`/releases/${release.id}`}>
                      {release.gateID || release.dynamicConfigID}
                    </a>
                    <span class="quiet">{release.currentPhase}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section class="used">
            <h2 class="section-title">Gates that could go</h2>
            {stale.data.length === 0 && <Empty title="Every temporary gate is still at work." />}
            <ul class="used-list">
              {stale.data.map((gate) => (
                <li key={gate.id} class="used-item">
                  <a href={`/gates/${encodeURIComponent(gate.id)}`}>{titleOf(gate)}</a>
                </li>
              ))}
            </ul>
            {stale.pagination.totalItems > stale.data.length && (
              <a href="/gates?stale=true">{`All ${count(stale.pagination.totalItems, 'gate')}`}</a>
            )}
          </section>
        </div>
        <section class="used">
          <h2 class="section-title">Latest changes</h2>
          <ol class="timeline">
            {byRequest(latest).map((revisions) => (
              <Request key={revisions[0]?.requestID} revisions={revisions} />
            ))}
          </ol>
          <a href="/audit_logs">The whole audit log</a>
        </section>
      </div>
    </>
  );
}
