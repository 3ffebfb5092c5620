import { useState } from 'preact/hooks';
import { decodedStep } from '../base/location.ts';
import { whoIsIn, whyNot } from '../base/session.ts';
import { useTitle } from '../base/title.ts';
import type { Experiment, Gate, Release, Revision } from '../base/types.ts';
import { isDone, useGet, useRead } from '../base/use.ts';
import { Create } from '../entity/edit/create.tsx';
import type { KindPage } from '../entity/kind.ts';
import { useDrafts } from '../entity/review/draft.ts';
import { experiments } from '../kinds/experiments.tsx';
import { gates } from '../kinds/gates.tsx';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { readOpen, useSummaries } from '../urgency/load.ts';
import { standingOf } from '../urgency/standing.ts';
import { openStatuses } from '../urgency/urgency.ts';
import { Box } from './box.tsx';
import { FirstSteps } from './first_steps.tsx';
import { CleanUp, Latest } from './latest.tsx';
import { needsOf } from './needs.ts';
import { NeedsYou } from './needs_you.tsx';
import { ReleasesUnderWay } from './releases_under_way.tsx';
import { Running } from './running.tsx';

const started = openStatuses.filter((status) => status !== 'setup');

const useParts = () => ({
  experiments: useGet('started experiments', () => readOpen(new URLSearchParams(), started)),
  releases: useRead<Release[]>(
    '/release_pipeline_triggers?status=IN_PROGRESS&status=PAUSED&status=WAITING_FOR_REVIEW&limit=10',
  ),
  stale: useRead<Gate[]>('/gates?stale=true&limit=6'),
  latest: useRead<Revision[]>('/audit_logs?limit=30'),
});

/** The start page. Parts that can't be read are left out and reported above the rest. */
export function Home() {
  useTitle('Home');
  const parts = useParts();
  const all = Object.values(parts);
  if (!all.every(isDone)) return <Loading lines={10} />;
  const missing = all.filter(({ value }) => !value);
  const [first] = missing;
  const { stale, latest } = parts;
  return (
    <>
      <HomeHead />
      {first?.problem && (
        <ProblemNote problem={first.problem} onAgain={() => missing.map(({ again }) => again())} />
      )}
      <div class="home">
        <div class="res-main">
          <Work
            experiments={parts.experiments.value ?? []}
            releases={parts.releases.value?.data ?? []}
          />
        </div>
        <div class="res-main">
          <FirstSteps />
          <UnsavedChanges />
          {stale.value && (
            <CleanUp gates={stale.value.data} total={stale.value.pagination.totalItems} />
          )}
          {latest.value && <Latest changes={latest.value.data} />}
        </div>
      </div>
    </>
  );
}

const newOnes = [gates, experiments];

function HomeHead() {
  const [created, setCreated] = useState<KindPage>();
  return (
    <PageHead title={`Hello, ${whoIsIn()?.name ?? ''}`}>
      <div class="row">
        {newOnes.map((kind) => (
          <Button key={kind.path} icon="add" why={whyNot('write')} onClick={() => setCreated(kind)}>
            {`New ${kind.one}`}
          </Button>
        ))}
      </div>
      {created && <Create kind={created} onClose={() => setCreated(undefined)} />}
    </PageHead>
  );
}

interface WorkProps {
  experiments: Experiment[];
  releases: Release[];
}

function Work({ experiments: open, releases }: WorkProps) {
  const summaries = useSummaries(open);
  const standings = open.map((one) => standingOf(one, summaries.value?.get(one.id)));
  return (
    <>
      <NeedsYou needs={needsOf(standings, releases)} />
      <Running standings={standings} />
      <ReleasesUnderWay releases={releases} />
    </>
  );
}

function UnsavedChanges() {
  const drafts = useDrafts();
  if (drafts.length === 0) return null;
  return (
    <Box title="Unsaved changes" note={drafts.length}>
      <ul class="briefs">
        {drafts.map((address) => (
          <li key={address} class="brief">
            <a href={address}>{decodedStep(address.slice(1))}</a>
          </li>
        ))}
      </ul>
    </Box>
  );
}
