import { faultOf } from '../base/json_text.ts';
import type { DynamicConfig } from '../base/types.ts';
import { count } from '../base/words.ts';
import type { Editing, FieldSpec, KindPage } from '../entity/kind.ts';
import {
  archivedLock,
  archiving,
  enabling,
  movesFrom,
  switchedFilter,
  switchedStatus,
} from '../entity/switched.ts';
import {
  about,
  FieldsOf,
  idType,
  name,
  settings,
  shortDescription,
  tags,
  targetApps,
  team,
} from '../experiment/settings.tsx';
import { withID } from '../rules/rules.tsx';
import { lazy } from '../ui/lazy.tsx';
import { mixedTypes } from './mixed_types.ts';
import { UnderRelease } from './release_phases.tsx';
import { TriedRules } from './tried_rules.tsx';

const disable = {
  name: 'disable',
  label: 'Disable',
  effect: 'Everyone gets the default value while disabled.',
  effectOnMany: 'Everyone gets the default values while disabled.',
  look: 'danger' as const,
  to: 'Disabled' as const,
};

const moves = [enabling, disable, { ...archiving, to: 'Archived' as const }];

/** Whether a text is JSON. JSON5 is edited as text, so that its comments survive. */
const isPlain = (text: string) => faultOf(text) === undefined;

const hint = 'The value if no rule matches.';

const schemaField = (schemaJson5: string): FieldSpec => ({
  property: isPlain(schemaJson5) ? 'schema' : 'schemaJson5',
  label: 'JSON Schema',
  as: 'code',
  hint: 'Every value of this config must match it.',
});

const ConfigValue = lazy(() => import('../values/chunk.ts').then((script) => script.ConfigValue));

function ValueTab({ editing }: { editing: Editing<DynamicConfig> }) {
  const { defaultValueJson5, schemaJson5 } = editing.stored;
  const schema = schemaField(schemaJson5);
  if (isPlain(defaultValueJson5))
    return (
      <div class="stack">
        <ConfigValue {...editing} hint={hint} />
        <FieldsOf editing={editing} specs={[schema]} />
      </div>
    );
  return (
    <FieldsOf
      editing={editing}
      specs={[{ property: 'defaultValueJson5', as: 'code', hint }, schema]}
    />
  );
}

const configSummary = ({ status, rules, defaultValue }: DynamicConfig) => {
  const keys = Object.keys(defaultValue);
  const value = keys.length > 0 ? keys.slice(0, 4).join(', ') : 'nothing';
  const rest = keys.length > 4 ? `, and ${keys.length - 4} more` : '';
  const by =
    status === 'In Progress' && rules.length > 0 ? `, by ${count(rules.length, 'rule')}` : '';
  return `${value}${rest}${by}`;
};

const valuesIn = ({ defaultValue, rules }: DynamicConfig) => [
  defaultValue,
  ...rules.flatMap(({ returnValue, variants = [] }) => [
    returnValue,
    ...variants.map((variant) => variant.returnValue),
  ]),
];

export const dynamicConfigs: KindPage<DynamicConfig> = {
  path: 'dynamic_configs',
  kind: 'dynamic_config',
  group: 'Flags',
  one: 'dynamic config',
  many: 'Dynamic configs',
  icon: 'braces',
  about: 'A dynamic config gives an application values that can differ by rule.',
  columns: [{ title: 'Value', render: configSummary }],
  filters: [switchedFilter(['In Progress', 'Disabled', 'Archived'])],
  status: switchedStatus,
  lead: ({ id }) => <UnderRelease of={{ dynamicConfigID: id }} />,
  tabs: [
    { path: '', title: 'Value', View: ValueTab },
    {
      path: 'rules',
      title: 'Rules',
      View: ({ editing }) => (
        <TriedRules
          tried={{ kind: 'dynamic_config', entity: editing.value }}
          editing={editing}
          otherwise="default value"
          whole={(rule) => ({ returnValue: editing.value.defaultValue, ...withID(rule) })}
          returns
        />
      ),
    },
    settings([name, about, tags, idType, targetApps, team]),
  ],
  actions: ({ status }) => movesFrom(status, moves),
  bulk: [disable, archiving],
  creation: {
    fields: [name, shortDescription, { property: 'defaultValue', as: 'json' }],
    values: { defaultValue: {} },
  },
  doubts: (before, after) => {
    const known = new Set(mixedTypes(valuesIn(before)));
    const mixed = mixedTypes(valuesIn(after)).filter((doubt) => !known.has(doubt));
    const changed = [before.defaultValue, after.defaultValue];
    return mixed.length > 0 ? mixed : mixedTypes(changed, 'changes between the types');
  },
  lock: archivedLock,
};
