import { isObject } from '../../base/value_types.ts';
import type { DynamicConfig, Rule } from '../base/types.ts';
import { percent } from '../base/words.ts';
import { errorBelow, Fields } from '../entity/edit/fields.tsx';
import type { Editing } from '../entity/kind.ts';
import { AsTable } from './as_table.tsx';
import { ValueSheet } from './value_sheet.tsx';
import { type ParameterValues, type ValueColumn, ValueTable } from './value_table.tsx';

interface ConfigColumn extends ValueColumn {
  place: string;
}

const ValueHead = ({ name, share }: { name: string; share: unknown }) => (
  <span class="values-head">
    {name}
    <span class="small">{percent(share)}</span>
  </span>
);

function columnsOfRule(rule: Rule, index: number, stored: Rule | undefined): ConfigColumn[] {
  const { id, name, passPercentage, returnValue: values = {}, variants = [] } = rule;
  const place = `rules.${index}`;
  return [
    {
      ...{ id, name, values, stored: stored?.returnValue, place: `${place}.returnValue` },
      head: <ValueHead name={name} share={passPercentage} />,
    },
    ...variants.map((variant, at) => ({
      id: `${id} ${at}`,
      name: `${name}, ${variant.name}`,
      values: variant.returnValue,
      stored: stored?.variants?.[at]?.returnValue,
      place: `${place}.variants.${at}.returnValue`,
      head: <ValueHead name={variant.name} share={variant.passPercentage} />,
    })),
  ];
}

const configColumns = (
  { defaultValue, rules }: DynamicConfig,
  stored: DynamicConfig,
): ConfigColumn[] => [
  {
    ...{ id: 'default', name: 'Default value', head: 'Default value', place: 'defaultValue' },
    ...{ values: defaultValue, stored: stored.defaultValue },
  },
  ...rules.flatMap((rule, index) =>
    columnsOfRule(
      rule,
      index,
      stored.rules.find(({ id }) => id === rule.id),
    ),
  ),
];

function withValues(rules: readonly Rule[], all: readonly ParameterValues[]) {
  const left = [...all];
  return rules.map((rule) => {
    const returnValue = left.shift() ?? {};
    const isUnset = rule.returnValue === undefined && Object.keys(returnValue).length === 0;
    const variants = rule.variants?.map((one) => ({ ...one, returnValue: left.shift() ?? {} }));
    return { ...rule, ...(!isUnset && { returnValue }), ...(variants && { variants }) };
  });
}

/** The default value of a dynamic config and those of its rules, as a table of parameters or as JSON. */
export function ConfigValue({ hint, ...editing }: Editing<DynamicConfig> & { hint: string }) {
  const { stored, value, set, lock, errors = new Map() } = editing;
  const columns = configColumns(value, stored);
  return (
    <AsTable
      fits={columns.every(({ values }) => isObject(values))}
      table={
        <ValueTable
          label="Parameters"
          sheet={ValueSheet}
          columns={columns}
          isLocked={lock !== undefined}
          errorAt={(column, parameter) =>
            errorBelow(`${columns[column]?.place}.${parameter}`, errors)
          }
          onChange={([defaultValue = {}, ...others]) =>
            set({ defaultValue, rules: withValues(value.rules, others) })
          }
        />
      }
      json={<Fields {...editing} specs={[{ property: 'defaultValue', as: 'json', hint }]} />}
    />
  );
}
