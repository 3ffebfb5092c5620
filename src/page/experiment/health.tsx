import { getAll } from '../base/api.ts';
import type { Experiment } from '../base/types.ts';
import { useGet } from '../base/use.ts';
import { number, percent } from '../base/words.ts';
import { Note } from '../ui/note.tsx';
import { Section } from '../ui/section.tsx';
import { lookOf, Status, type Tones } from '../ui/status.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import { Grid, GridRow } from './grid.tsx';
import { type HealthStatus, isWrong } from './health_status.ts';

const tones: Tones<HealthStatus> = {
  PASSED: 'done',
  WAITING: 'idle',
  WARNING: 'waiting',
  FAILED: 'bad',
};

const hundredth = (share: number) => percent(Math.round(share * 100) / 100);

/** Displays the health checks. Only the list endpoint returns them, so it searches the list by ID. */
export function DesignHealth({ experiment: { id, groups } }: { experiment: Experiment }) {
  const path = `/experiments?${new URLSearchParams({ search: id, includeArchived: 'true' })}`;
  const { value, ...got } = useGet(path, () => getAll<Experiment>(path));
  if (!value) return <ReadStatus {...got} lines={3} />;
  const checks = value.find((one) => one.id === id)?.healthChecks ?? [];
  const counted = checks.flatMap((check) => check.groups ?? []);
  const all = counted.reduce((sum, { units, expectedShare }) => sum + (expectedShare && units), 0);
  const row = (head: string, cell: (one: (typeof counted)[number]) => string) => (
    <GridRow
      head={head}
      groups={groups}
      cell={({ id: groupID }) => {
        const found = counted.find((one) => one.groupID === groupID);
        return found ? cell(found) : '';
      }}
    />
  );
  return (
    <Section title="Health">
      {checks.map(({ name, status, description }) =>
        isWrong(status) ? (
          <Note key={name} look="warn" title={name}>
            {description}
          </Note>
        ) : (
          <p key={name}>
            <Status {...lookOf(tones, status)} /> {description}
          </p>
        ),
      )}
      {counted.length > 0 && (
        <Grid label="Exposed units" groups={groups}>
          {row('Units', ({ units }) => number(units))}
          {row('Observed share', ({ units, expectedShare }) =>
            expectedShare ? hundredth((units / (all || 1)) * 100) : '',
          )}
          {row('Expected share', ({ expectedShare }) => hundredth(expectedShare))}
        </Grid>
      )}
    </Section>
  );
}
