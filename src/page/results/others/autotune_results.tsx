import type { Autotune } from '../../base/types.ts';
import { useGet, useRead } from '../../base/use.ts';
import { number } from '../../base/words.ts';
import { AmountInterval } from '../../charts/amount_interval.tsx';
import { chance, countOf, mean } from '../../charts/format.ts';
import { Key } from '../../charts/sign.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import type { Learned } from '../frame/api_types.ts';
import { exactHour, HourCharts, readHours } from './autotune_hours.tsx';
import { autotuneInWords } from './autotune_words.ts';
import { VerdictLine } from './lifts.tsx';

function LearnedVariants({
  variants,
  isOfValues,
}: Pick<Learned, 'variants'> & { isOfValues: boolean }) {
  const format = (value: number | null) => mean(value, !isOfValues);
  const learnedOf = ({ mean: own, rate }: Learned['variants'][number]) => (isOfValues ? own : rate);
  const bounds = variants.flatMap(({ interval }) =>
    interval ? [interval.lower, interval.upper] : [],
  );
  const ends: [number, number] = [Math.min(...bounds), Math.max(...bounds)];
  return (
    <div class="box">
      <Scrolled as="section" class="scrolled" aria-label="Variants">
        <table class="sc sc-auto">
          <thead>
            <tr>
              <th class="c-first" scope="col">
                Variant
              </th>
              <th class="c-num" scope="col">
                Units
              </th>
              <th class="c-num" scope="col">
                {isOfValues ? 'Mean value' : 'Success rate'}
              </th>
              <th class="c-iv" scope="col">
                95% interval
              </th>
              <th class="c-num" scope="col">
                Best
              </th>
              <th class="c-num" scope="col">
                Traffic now
              </th>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant, place) => (
              <tr key={variant.name}>
                <th class="c-first" scope="row">
                  <span class="sc-name">
                    <Key index={place} color={place + 1} />
                    {variant.name}
                  </span>
                </th>
                <td class="c-num">{countOf(variant.units)}</td>
                <td class="c-num">{format(learnedOf(variant))}</td>
                <td class="c-iv">
                  <AmountInterval
                    value={variant.interval && learnedOf(variant)}
                    interval={variant.interval}
                    ends={ends}
                    label={
                      variant.interval
                        ? `${variant.name}: ${format(variant.interval.lower)} to ${format(variant.interval.upper)}`
                        : `${variant.name}: no interval yet`
                    }
                  />
                </td>
                <td class="c-num">{chance(variant.probabilityOfBest)}</td>
                <td class="c-num">{`${Math.round(variant.allocation)}%`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </div>
  );
}

function keptInWords({ longtermExplorationAllocation: kept, variants }: Autotune): string[] {
  return kept ? [`Each variant keeps ${number((100 * kept) / variants.length)}%`] : [];
}

/** The results of an autotune: its verdict, both charts by hour, and its variants. */
export function AutotuneResults({ autotune }: { autotune: Autotune }) {
  const { id, startTime, winnerThreshold, optimizationParameter } = autotune;
  const path = `/autotunes/${encodeURIComponent(id)}/results`;
  const { value, ...got } = useRead<Learned>(path);
  const learned = value?.data;
  const hours = useGet(learned ? `hours of ${id} to ${learned.time}` : '', () =>
    learned ? readHours(path, startTime ?? 0, learned) : Promise.resolve([]),
  );
  if (!learned) return <ReadStatus {...got} lines={5} />;
  const verdict = autotuneInWords(autotune, learned, Date.now());
  return (
    <div class="res-main">
      <VerdictLine
        verdict={verdict}
        method={[
          learned.time === null ? 'No hour yet' : `Data to ${exactHour(learned.time)} UTC, by hour`,
          'Shares follow the probability of being best',
          ...keptInWords(autotune),
          'An autotune earns, it proves nothing',
        ]}
      />
      {hours.value && hours.value.length > 1 ? (
        <HourCharts
          learned={learned}
          hours={hours.value}
          threshold={Number.parseFloat(winnerThreshold)}
        />
      ) : (
        <ReadStatus {...hours} lines={5} />
      )}
      <LearnedVariants variants={learned.variants} isOfValues={optimizationParameter === 'value'} />
    </div>
  );
}
