import { isObject } from '../../base/value_types.ts';
import type { Rule } from '../base/types.ts';
import { errorBelow, errorOf } from '../entity/edit/fields.tsx';
import { JSONInput } from '../entity/edit/input.tsx';
import type { Edited } from '../entity/kind.ts';
import { Code } from '../ui/code.tsx';
import { Field } from '../ui/field.tsx';
import { AsTable } from './as_table.tsx';
import { ValueSheet } from './value_sheet.tsx';
import { type ValueColumn, ValueTable } from './value_table.tsx';
import { RuleVariants } from './variants.tsx';

type Valued = Pick<Rule, 'variants' | 'returnValue'>;

const place = { property: 'returnValue', as: 'json' as const };

function ruleColumns({ returnValue = {}, variants = [] }: Valued): ValueColumn[] {
  const own = { id: 'rule', name: 'Value', head: 'Value', values: returnValue };
  const others = variants.map(({ name, returnValue: values }, index) => ({
    ...{ id: `variant ${index}`, head: name, name: name || `Variant ${index + 1}`, values },
  }));
  return [own, ...others];
}

function RuleValueTable({ value: rule, set, lock, errors = new Map() }: Edited<Valued>) {
  const { variants } = rule;
  return (
    <ValueTable
      label="Returned values"
      sheet={ValueSheet}
      columns={ruleColumns(rule)}
      isLocked={lock !== undefined}
      errorAt={(column, parameter) =>
        errorBelow(
          `${column === 0 ? '' : `variants.${column - 1}.`}returnValue.${parameter}`,
          errors,
        )
      }
      onChange={([returnValue, ...others]) =>
        set({
          returnValue,
          ...(variants && {
            variants: variants.map((one, index) => ({ ...one, returnValue: others[index] })),
          }),
        })
      }
    />
  );
}

const InJSON = ({ value: { returnValue }, set, lock, errors }: Edited<Valued>) =>
  lock === undefined ? (
    <Field label="and returns" error={errorOf(place, returnValue, errors)}>
      {(attributes) => (
        <JSONInput
          attributes={attributes}
          value={returnValue}
          rows={2}
          onChange={(next) => set({ returnValue: next })}
        />
      )}
    </Field>
  ) : (
    <Code text={JSON.stringify(returnValue, null, 2)} />
  );

/** The values that a rule and its variants return, as a table or as JSON. */
export function RuleValues(rule: Edited<Valued>) {
  const { returnValue = {}, variants = [] } = rule.value;
  const all = [returnValue, ...variants.map((variant) => variant.returnValue)];
  return (
    <AsTable
      fits={all.every(isObject)}
      table={
        <>
          <RuleValueTable {...rule} />
          <RuleVariants {...rule} hasValues={false} />
        </>
      }
      json={
        <>
          <InJSON {...rule} />
          <RuleVariants {...rule} hasValues />
        </>
      }
    />
  );
}
