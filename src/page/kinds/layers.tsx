import { getAll } from '../base/api.ts';
import { pageOf } from '../base/history_words.ts';
import type { Experiment, Layer } from '../base/types.ts';
import { useGet } from '../base/use.ts';
import { lower, percent, statusInWords, titleOf } from '../base/words.ts';
import type { KindPage } from '../entity/kind.ts';
import { withOverrides } from '../entity/load.ts';
import {
  about,
  idType,
  name,
  overrides,
  settings,
  shortDescription,
  tags,
  targetApps,
  teamOrNone,
} from '../experiment/settings.tsx';
import { trying } from '../try/trying.tsx';
import { Split, Swatch } from '../ui/bar.tsx';
import { Empty } from '../ui/empty.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Section } from '../ui/section.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import { parametersColumn } from '../values/value_types.ts';
import { LayerOverrides } from './layer_overrides.tsx';

/** Explicit buckets are out of 1,000. */
const allocatedShare = ({ userBuckets, allocation }: Experiment): number =>
  new Set(userBuckets?.filter(Number.isInteger)).size / 10 || allocation;

function LayerShares({ layer }: { layer: Layer }) {
  const path = `/experiments?layerID=${encodeURIComponent(layer.id)}`;
  const { value, ...got } = useGet(path, () => getAll<Experiment>(path));
  if (!value) return <ReadStatus {...got} lines={3} />;
  const running = value.filter(({ status }) => status === 'active');
  const parts = new Map(
    running.map((experiment, index) => [
      experiment.id,
      { name: titleOf(experiment), percent: allocatedShare(experiment), series: index + 1 },
    ]),
  );
  const free = running.reduce((rest, experiment) => rest - allocatedShare(experiment), 100);
  return (
    <Section title={`${percent(Math.max(0, free))} free`}>
      <Split label="In use" parts={[...parts.values()]} />
      {value.length === 0 && <Empty title="No experiments on this layer." />}
      <ul class="items">
        {value.map((experiment) => {
          const part = parts.get(experiment.id);
          return (
            <li key={experiment.id} class="item item-between">
              <span>
                {part && <Swatch series={part.series} />}
                <a href={pageOf({ path: 'experiments' }, experiment.id)}>{titleOf(experiment)}</a>
              </span>
              <span class="quiet">
                {part ? percent(part.percent) : lower(statusInWords(experiment.status))}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

const LayerValues = lazy(() => import('../values/chunk.ts').then((script) => script.LayerValues));

export const layers: KindPage<Layer> = {
  path: 'layers',
  kind: 'layer',
  group: 'Experiments',
  one: 'layer',
  many: 'Layers',
  icon: 'layers',
  about: 'A layer splits units among experiments; each unit is in at most one.',
  columns: [parametersColumn],
  tabs: [
    {
      path: '',
      title: 'Experiments',
      View: ({ editing: { stored } }) => <LayerShares layer={stored} />,
    },
    {
      path: 'parameters',
      title: 'Parameters',
      View: ({ editing }) => <LayerValues {...editing} />,
    },
    { path: 'overrides', title: 'Overrides', View: LayerOverrides },
    trying('layer'),
    settings([name, about, tags, idType, targetApps, teamOrNone]),
  ],
  creation: { fields: [name, shortDescription] },
  load: withOverrides,
  apart: [overrides],
};
