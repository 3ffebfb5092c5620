import { ticks } from 'd3-array';
import { useState } from 'preact/hooks';
import { countOf, dayLabel, isNumber, pValue } from '../../charts/format.ts';
import { LineChart } from '../../charts/line_chart.tsx';
import { ChartTable } from '../../charts/rows.tsx';
import { TableOf } from '../../charts/table_of.tsx';
import { Button } from '../../ui/button.tsx';
import { Seg } from '../../ui/seg.tsx';
import type { GroupExposures, Health } from '../frame/api_types.ts';
import { exposuresAsCSV } from '../frame/csv.ts';
import { download } from '../frame/download.ts';
import { firstDayOff, groupShare, unitsOfGroups, valuesOff } from './imbalance.ts';

interface WhereItBeganProps {
  page: string;
  id: string;
  balance: Health['balance'];
  control: { id: string; name: string };
  exposures: GroupExposures[] | undefined;
}

const shareInWords = (share: number | null) => (share === null ? '–' : `${share.toFixed(1)}%`);

const dayName = (ds: string) => dayLabel(Date.parse(ds));

interface BeganPartProps extends Pick<WhereItBeganProps, 'balance' | 'control'> {
  expected: number;
}

function ByDay({
  balance: { days },
  control,
  expected,
  began,
}: BeganPartProps & { began?: string }) {
  const points = days.map(({ ds, groups }) => ({
    time: Date.parse(ds),
    value: groupShare(groups, control.id),
  }));
  const shares = [expected, ...points.map(({ value }) => value).filter(isNumber)];
  const axis = ticks(Math.min(...shares) - 2, Math.max(...shares) + 2, 4);
  const table = {
    heads: ['Day', `Share of ${control.name}`, 'New units'],
    rows: days.map(({ ds, groups }, index) => [
      dayName(ds),
      shareInWords(points[index]?.value ?? null),
      countOf(unitsOfGroups(groups)),
    ]),
  };
  if (days.length === 0) return <p class="small">No day is counted yet.</p>;
  return (
    <TableOf name="balance" table={table}>
      <LineChart
        label={`Share of ${control.name} among new units by day, ${shareInWords(expected)} expected${began ? `; off since ${dayName(began)}` : ''}`}
        series={[{ name: control.name, index: 0, points }]}
        ticks={axis}
        format={(value) => `${value}%`}
        height={180}
        target={{ value: expected, words: `${shareInWords(expected)} expected` }}
        marks={began ? [{ time: Date.parse(began), words: 'it began' }] : []}
      />
    </TableOf>
  );
}

function ByValue({ balance, control, dimension }: BeganPartProps & { dimension: string }) {
  const slices = balance.dimensions.filter((one) => one.dimension === dimension);
  return (
    <ChartTable
      label={`Balance by ${dimensionName(dimension)}`}
      heads={[dimensionName(dimension), 'Units', `Share of ${control.name}`, 'p']}
      rows={slices.map(({ dimension_value: value, groups, pValue: p }) => [
        value || '(none)',
        countOf(unitsOfGroups(groups)),
        shareInWords(groupShare(groups, control.id)),
        pValue(p),
      ])}
    />
  );
}

const clients: Record<string, string> = { sdkType: 'SDK', appVersion: 'App version' };

const dimensionName = (dimension: string) => clients[dimension] ?? dimension;

const causes = [
  { cause: 'A redirect in one branch.', why: 'Users leave before the exposure is sent.' },
  { cause: 'A bot filter', why: 'that sees only one of the groups.' },
  { cause: 'An exposure sent late,', why: 'after the test changes the page.' },
];

/** The sizes of groups by day and by dimension, displayed instead of exposures while groups are unbalanced. */
export function WhereItBegan({ page, id, balance, control, exposures }: WhereItBeganProps) {
  const [by, setBy] = useState('day');
  const expected =
    balance.groups.find(({ groupID }) => groupID === control.id)?.expectedShare ?? 50;
  const began = firstDayOff(balance.days, control.id, expected);
  const dimensions = [...new Set(balance.dimensions.map(({ dimension }) => dimension))];
  const places = dimensions.flatMap((one) => {
    const off = valuesOff(balance, one, control.id, expected);
    const all = balance.dimensions.filter(({ dimension }) => dimension === one).length;
    return off.length > 0 && off.length < all ? [`${dimensionName(one)}: ${off.join(', ')}`] : [];
  });
  const part = { balance, control, expected };
  return (
    <section class="box" aria-label="Where it began">
      <div class="box-head">
        <h2 class="box-title">Where it began</h2>
        <div class="box-side">
          {dimensions.length > 0 && (
            <Seg
              label="By"
              options={{
                day: 'Day',
                ...Object.fromEntries(dimensions.map((one) => [one, dimensionName(one)])),
              }}
              value={by}
              onChoose={setBy}
            />
          )}
        </div>
      </div>
      <div class="began">
        <div class="began-chart">
          <p class="small">{`Share of ${control.name} among new units, ${shareInWords(expected)} expected`}</p>
          {by === 'day' ? <ByDay {...part} began={began} /> : <ByValue {...part} dimension={by} />}
        </div>
        <div class="began-words">
          <p>
            <b>{began ? `It began on ${dayName(began)}` : 'No single day stands out'}</b>
            {places.length > 0 ? `, only in ${places.join('; ')}.` : '.'}
          </p>
          <p class="small">Likely causes, most likely first</p>
          <ol class="began-causes">
            {causes.map(({ cause, why }) => (
              <li key={cause}>
                <b>{cause}</b> {why}
              </li>
            ))}
          </ol>
          <p class="began-links">
            <a href={`${page}/history`}>What changed</a>
            {exposures && (
              <Button
                look="link"
                onClick={() => download(exposuresAsCSV(exposures), `${id} exposures`)}
              >
                Exposures as CSV
              </Button>
            )}
          </p>
        </div>
      </div>
    </section>
  );
}
