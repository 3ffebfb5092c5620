import { get } from '../api.ts';
import { addressOf } from '../history_words.ts';
import { DayOfRun } from '../kinds/experiment_stages.tsx';
import { textOf } from '../location.ts';
import { useDrafts } from '../recipe/draft.ts';
import { whoIsIn } from '../session.ts';
import { useTitle } from '../title.ts';
import type { Experiment, Gate, Release, Revision } from '../types.ts';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Section } from '../ui/section.tsx';
import { isDone, useGet, useRead } from '../use.ts';
import { count, number, titleOf } from '../words.ts';
import { Timeline } from './audit.tsx';
import { FirstSteps } from './first_steps.tsx';

const gatesOf = (status: string) => `/gates?status=${encodeURIComponent(status)}`;

const readTotals = () =>
  Promise.all(
    ['In Progress', 'Launched', 'Disabled'].map(async (status) => {
      const { pagination } = await get<Gate[]>(`${gatesOf(status)}&limit=1`);
      return { status, sum: pagination.totalItems };
    }),
  );

const useParts = () => ({
  totals: useGet('totals of gates', readTotals),
  running: useRead<Experiment[]>('/experiments?status=active&limit=6'),
  stale: useRead<Gate[]>('/gates?stale=true&limit=6'),
  waiting: useRead<Release[]>('/release_pipeline_triggers?status=WAITING_FOR_REVIEW&limit=6'),
  latest: useRead<Revision[]>('/audit_logs?limit=12'),
});

/** The start page. Parts that can't be read are left out and reported above the rest. */
export function Home() {
  useTitle('Home');
  const parts = useParts();
  const all = Object.values(parts);
  if (!all.every(isDone)) return <Loading lines={10} />;
  const missing = all.filter(({ value }) => !value);
  const [first] = missing;
  const isNew = parts.latest.value?.data.length === 0;
  return (
    <>
      <PageHead title={`Hello, ${whoIsIn()?.name ?? ''}`} />
      {first?.problem && (
        <ProblemNote problem={first.problem} onAgain={() => missing.map(({ again }) => again())} />
      )}
      {isNew ? (
        <>
          <FirstSteps />
          <UnsavedChanges />
        </>
      ) : (
        <Overview {...parts} />
      )}
    </>
  );
}

const Overview = ({ totals, running, stale, waiting, latest }: ReturnType<typeof useParts>) => (
  <>
    <Sums totals={totals.value ?? []} running={running.value?.pagination.totalItems} />
    <div class="columns">
      <div class="stack">
        <UnsavedChanges />
        {running.value && <Running experiments={running.value.data} />}
        {waiting.value && <Waiting releases={waiting.value.data} />}
        {stale.value && (
          <Stale gates={stale.value.data} total={stale.value.pagination.totalItems} />
        )}
      </div>
      {latest.value && <Latest changes={latest.value.data} />}
    </div>
  </>
);

const Latest = ({ changes }: { changes: Revision[] }) => (
  <Section title="Latest changes">
    <Timeline revisions={changes} />
    <a href="/audit_logs">Audit log</a>
  </Section>
);

interface SumProps {
  href: string;
  name: string;
  sum: number;
}

const Sum = ({ href, name, sum }: SumProps) => (
  <a class="sum" href={href}>
    <span class="sum-name">{name}</span>
    <strong class="sum-number">{number(sum)}</strong>
  </a>
);

interface SumsProps {
  totals: { status: string; sum: number }[];
  running: number | undefined;
}

const Sums = ({ totals, running }: SumsProps) => (
  <div class="sums">
    {totals.map(({ status, sum }) => (
      <Sum key={status} href={gatesOf(status)} name={`Gates ${status.toLowerCase()}`} sum={sum} />
    ))}
    {running !== undefined && (
      <Sum href="/experiments?status=active" name="Experiments running" sum={running} />
    )}
  </div>
);

function UnsavedChanges() {
  const drafts = useDrafts();
  if (drafts.length === 0) return null;
  return (
    <Section title="Unsaved changes">
      <ul class="items">
        {drafts.map((address) => (
          <li key={address} class="item">
            <a href={address}>{textOf(address.slice(1))}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const Running = ({ experiments }: { experiments: Experiment[] }) => (
  <Section title="Running experiments">
    {experiments.length === 0 && <Empty title="No running experiments." />}
    <ul class="items">
      {experiments.map((experiment) => (
        <li key={experiment.id} class="item item-between">
          <a href={addressOf('experiment', experiment.id)}>{titleOf(experiment)}</a>
          <span class="quiet">
            <DayOfRun
              startTime={experiment.startTime ?? Date.now()}
              duration={experiment.duration}
            />
          </span>
        </li>
      ))}
    </ul>
  </Section>
);

const Waiting = ({ releases }: { releases: Release[] }) =>
  releases.length > 0 && (
    <Section title="Releases waiting for review">
      <ul class="items">
        {releases.map(({ id, gateID, dynamicConfigID, currentPhase }) => (
          <li key={id} class="item">
            <a href={addressOf('release_pipeline_trigger', id)}>{gateID || dynamicConfigID}</a>
            <span class="quiet">{currentPhase}</span>
          </li>
        ))}
      </ul>
    </Section>
  );

const Stale = ({ gates, total }: { gates: Gate[]; total: number }) => (
  <Section title="Flags to clean up">
    {gates.length === 0 && <Empty title="No stale gates." />}
    <ul class="items">
      {gates.map((gate) => (
        <li key={gate.id} class="item">
          <a href={addressOf('gate', gate.id)}>{titleOf(gate)}</a>
        </li>
      ))}
    </ul>
    {total > gates.length && <a href="/gates?stale=true">{`All ${count(total, 'gate')}`}</a>}
  </Section>
);
