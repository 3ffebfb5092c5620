import { moves } from '../../experiments/autotunes/lifecycle.ts';
import type { Autotune } from '../base/types.ts';
import { count } from '../base/words.ts';
import { Rows } from '../entity/edit/rows.tsx';
import type { Action, Editing, FieldSpec, KindPage } from '../entity/kind.ts';
import {
  about,
  decision,
  FieldsOf,
  idType,
  name,
  settings,
  tags,
  targetApps,
} from '../experiment/settings.tsx';
import { trying } from '../try/trying.tsx';
import { Split, Sum } from '../ui/bar.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Note } from '../ui/note.tsx';
import { lookOf, type Tones } from '../ui/status.tsx';

const tones: Tones<Autotune['status']> = {
  setup: 'idle',
  active: 'going',
  decision_made: 'done',
};

const words: Record<keyof typeof moves, Pick<Action, 'label' | 'effect' | 'look' | 'inMenu'>> = {
  start: {
    label: 'Start',
    effect: 'Starts assigning units. Variants and ID type are locked until a reset.',
    look: 'primary',
  },
  make_decision: {
    label: 'Decide',
    effect: 'Everyone gets the chosen variant.',
    look: 'primary',
  },
  reset: {
    label: 'Reset',
    effect: 'Returns to setup and clears its start and decision.',
    look: 'danger',
    inMenu: true,
  },
};

const decisionOf = ({ variants }: Autotune) =>
  decision('variant', Object.fromEntries(variants.map(({ name }) => [name, name])));

const names = ['start', 'make_decision', 'reset'] as const;

const autotuneActions = (autotune: Autotune): Action[] =>
  names
    .filter((name) => moves[name].from.some((status) => status === autotune.status))
    .map((name) => ({
      name,
      ...words[name],
      fields: name === 'make_decision' ? decisionOf(autotune) : undefined,
    }));

const hours = (...list: number[]) =>
  Object.fromEntries(list.map((number) => [`${number}hr`, count(number, 'hour')]));

const fields: FieldSpec[] = [
  {
    property: 'successEvent',
    isNeeded: true,
    hint: 'The event to increase.',
  },
  { property: 'successEventValue' },
  {
    property: 'explorationWindow',
    as: 'choice',
    options: hours(1, 24, 48, 168, 336),
  },
  {
    property: 'attributionWindow',
    as: 'choice',
    options: hours(1, 2, 4, 24),
  },
  {
    property: 'winnerThreshold',
    as: 'choice',
    options: { '80%': '80%', '90%': '90%', '95%': '95%', '98%': '98%', '99%': '99%' },
  },
  { property: 'higherIsBetter', as: 'toggle' },
  { property: 'isContextual', as: 'toggle' },
];

function AutotuneVariants({ editing }: { editing: Editing<Autotune> }) {
  const { value, stored } = editing;
  const isOpen = stored.status === 'setup';
  const lock = isOpen ? editing.lock : 'locked';
  return (
    <div class="stack">
      {!isOpen && <Note look="info">Variants and ID type are locked. Reset to change them.</Note>}
      <Split
        label="Shares"
        parts={value.variants.map((variant) => ({
          name: variant.name,
          percent: Number(variant.size) || 0,
        }))}
      />
      {isOpen && <Sum shares={value.variants.map(({ size }) => size)} />}
      <Rows
        {...editing}
        lock={lock}
        property="variants"
        noun="variant"
        none="No variants."
        hasSeries
        specs={() => [
          { property: 'name' },
          { property: 'size', label: 'Share', as: 'number', unit: '%' },
          { property: 'json', label: 'Value', as: 'json' },
        ]}
        fresh={() => ({ name: `variant_${value.variants.length + 1}`, json: {}, size: 0 })}
      />
      <FieldsOf editing={{ ...editing, lock }} specs={[idType]} />
    </div>
  );
}

const Results = lazy(() =>
  import('../results/others/chunk.ts').then((script) => script.AutotuneResults),
);

export const autotunes: KindPage<Autotune> = {
  path: 'autotunes',
  kind: 'autotune',
  group: 'Experiments',
  one: 'autotune',
  many: 'Autotunes',
  icon: 'redo',
  about: 'An autotune moves units to the variant that does best, by what its success events show.',
  columns: [
    {
      title: 'Goal',
      render: ({ successEvent, variants }) =>
        `“${successEvent}”, ${count(variants.length, 'variant')}`,
    },
  ],
  status: ({ status }) => lookOf(tones, status),
  facts: ({ decidedVariant }) => decidedVariant && <span>{`decided: ${decidedVariant}`}</span>,
  tabs: [
    {
      path: 'results',
      title: 'Results',
      View: ({ editing }) => <Results autotune={editing.stored} />,
    },
    { path: 'variants', title: 'Variants', View: AutotuneVariants },
    trying('autotune'),
    settings([name, about, ...fields, tags, targetApps]),
  ],
  tabsOf: ({ startTime }) =>
    startTime === null ? autotunes.tabs.filter(({ path }) => path !== 'results') : autotunes.tabs,
  actions: autotuneActions,
  creation: {
    fields: [name, ...fields.slice(0, 1)],
    values: {
      successEvent: '',
      explorationWindow: '24hr',
      attributionWindow: '1hr',
      winnerThreshold: '95%',
      variants: [
        { name: 'control', json: {}, size: 50 },
        { name: 'test', json: {}, size: 50 },
      ],
    },
  },
};
