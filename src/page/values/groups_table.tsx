import { useRef } from 'preact/hooks';
import { restOf, totalHundred } from '../../engine/evaluation/shares.ts';
import type { Experiment, Group } from '../base/types.ts';
import { percent } from '../base/words.ts';
import { Key } from '../charts/sign.tsx';
import { errorBelow } from '../entity/edit/fields.tsx';
import { NumberInput } from '../entity/edit/input.tsx';
import type { Edited } from '../entity/kind.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Remove } from '../ui/remove.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { ValueSheet } from './value_sheet.tsx';
import { ValueTable } from './value_table.tsx';

interface GroupsTableProps extends Edited<Pick<Experiment, 'groups'>> {
  stored: Group[];
  fresh: () => Group;
}

type GroupEdits = Partial<Record<keyof Group, unknown>>;

const isLast = (groups: Group[]) => groups.length <= 1;

interface GroupHeadProps {
  group: Group;
  index: number;
  isLocked: boolean;
  onChange: (edits: GroupEdits) => void;
  onRemove: (() => void) | undefined;
}

const GroupHead = ({
  group: { name, disabled },
  index,
  isLocked,
  onChange,
  onRemove,
}: GroupHeadProps) => (
  <span class="values-head">
    <Key index={index} />
    {isLocked ? (
      name
    ) : (
      <Field label={`Name of group ${index + 1}`} unseen>
        {(attributes) => (
          <TextInput {...attributes} value={name} onText={(text) => onChange({ name: text })} />
        )}
      </Field>
    )}
    {disabled && <span class="warned">disabled</span>}
    {onRemove && <Remove what={`group ${index + 1}`} icon="close" onRemove={onRemove} />}
  </span>
);

function Total({ groups }: { groups: Group[] }) {
  const sizes = groups.map(({ size }) => Number(size) || 0);
  const sum = percent(100 - restOf(sizes));
  return totalHundred(sizes) ? (
    <span class="small">{`adds up to ${sum}`}</span>
  ) : (
    <span class="small warned">{`adds up to ${sum}, must be ${percent(100)}`}</span>
  );
}

/** The groups of an experiment: names, shares, and a typed value a parameter. */
export function GroupsTable({ value, stored, fresh, set, lock, errors }: GroupsTableProps) {
  const { groups } = value;
  const table = useRef<HTMLDivElement>(null);
  const add = () => {
    set({ groups: [...groups, fresh()] });
    requestAnimationFrame(() => {
      const names = table.current?.querySelectorAll<HTMLInputElement>('thead input');
      [...(names ?? [])].at(-1)?.select();
    });
  };
  const isLocked = lock !== undefined;
  const change = (index: number, edits: GroupEdits) =>
    set({ groups: groups.map((group, at) => (at === index ? { ...group, ...edits } : group)) });
  return (
    <div class="stack" ref={table}>
      <ValueTable
        label="Design table"
        sheet={ValueSheet}
        isLocked={isLocked}
        columns={groups.map((group, index) => ({
          id: group.id,
          name: group.name || `Group ${index + 1}`,
          values: group.parameterValues,
          stored: stored.find(({ id }) => id === group.id)?.parameterValues,
          head: (
            <GroupHead
              {...{ group, index, isLocked }}
              onChange={(edits) => change(index, edits)}
              onRemove={
                isLocked || isLast(groups)
                  ? undefined
                  : () => set({ groups: groups.toSpliced(index, 1) })
              }
            />
          ),
        }))}
        errorAt={(index, parameter) =>
          errorBelow(`groups.${index}.parameterValues.${parameter}`, errors ?? new Map())
        }
        onChange={(all) =>
          set({
            groups: groups.map((group, index) => ({ ...group, parameterValues: all[index] ?? {} })),
          })
        }
      >
        <tr>
          <th scope="row">Share</th>
          <td>
            <Total groups={groups} />
          </td>
          {groups.map((group, index) => (
            <td key={group.id}>
              {isLocked ? (
                percent(group.size)
              ) : (
                <Field label={`Share of ${group.name || `group ${index + 1}`}`} unseen>
                  {(attributes) => (
                    <span class="with-unit">
                      <NumberInput
                        attributes={attributes}
                        unit="%"
                        value={group.size}
                        onChange={(size) => change(index, { size })}
                      />
                      <span class="unit">%</span>
                    </span>
                  )}
                </Field>
              )}
            </td>
          ))}
          {!isLocked && <td />}
        </tr>
      </ValueTable>
      {!isLocked && (
        <p>
          <Button icon="add" onClick={add}>
            Add a group
          </Button>
        </p>
      )}
    </div>
  );
}
