import type { Context } from 'hono';
import type * as z from 'zod';
import { readExposuresOf, type StoredExposures } from '../../analysis/read/series.ts';
import { readChosen, readChosenAnalysis } from '../../analysis/read/stored.ts';
import { distinct } from '../../base/distinct.ts';
import { dateOfDay } from '../../base/time.ts';
import type { Start } from '../../experiments/starts/table.ts';
import type { Service } from '../../platform/env.ts';
import { tableOf } from '../../platform/http/csv.ts';
import type { Answer } from '../base/answer.ts';
import type { exposuresQuery } from '../base/query.ts';
import { requireDimension, runOf, selectionOf, withExperiment } from '../base/starts.ts';

function byGroup({ groups }: Start, exposures: readonly StoredExposures[], dimension: string) {
  const slices = dimension === '' ? [''] : distinct(exposures.map(({ slice }) => slice)).sort();
  return groups.flatMap(({ id, name }) =>
    slices.map((slice) => ({
      groupID: id,
      groupName: name,
      ...(dimension !== '' && { dimension, dimension_value: slice }),
      results: exposures
        .filter((one) => one.group === id && one.slice === slice)
        .map(({ ds, cumulative }) => ({ date: dateOfDay(ds), exposures: cumulative })),
    })),
  );
}

/** Returns the exposed units of each group at the end of each day. */
export async function cumulativeExposures(
  c: Context<Service>,
  id: string,
  query: z.output<typeof exposuresQuery>,
): Promise<Answer> {
  const { dimension, start } = query;
  const selection = selectionOf(id, { start, rollup: -1 });
  const [experiment, [[chosen], [stored], exposures]] = await withExperiment(c, id, (tx) =>
    tx.read(
      readChosen(selection),
      readChosenAnalysis(selection),
      readExposuresOf(selection, { isDaily: true, dimension: dimension ?? '' }),
    ),
  );
  const analysis = runOf(experiment, stored, start);
  requireDimension(analysis, dimension);
  const data = byGroup(analysis, exposures, dimension ?? '');
  const names = ['date', 'groupID', 'groupName', 'dimension', 'dimension_value', 'exposures'];
  return {
    data,
    chosen,
    csv: () =>
      tableOf(
        names,
        data.flatMap(({ groupID, groupName, dimension_value, results }) =>
          results.map(({ date, exposures: units }) => [
            ...[date, groupID, groupName, dimension, dimension_value, units],
          ]),
        ),
      ),
  };
}
