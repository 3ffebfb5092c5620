import { isObject } from '../../base/value_types.ts';
import { evenShares } from '../../engine/evaluation/shares.ts';
import { lockedProperties } from '../../experiments/experiments/checks/locked_properties.ts';
import { randomID } from '../base/api.ts';
import type { Experiment, Group } from '../base/types.ts';
import { count } from '../base/words.ts';
import { Fields } from '../entity/edit/fields.tsx';
import { Rows } from '../entity/edit/rows.tsx';
import type { Editing, FieldSpec } from '../entity/kind.ts';
import { idType } from '../experiment/settings.tsx';
import { Split, Sum } from '../ui/bar.tsx';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Note } from '../ui/note.tsx';
import { Section } from '../ui/section.tsx';
import { AsTable } from '../values/as_table.tsx';
import { GroupsTable } from '../values/groups_table.tsx';
import { Targeting } from './experiment_targeting.tsx';

const Health = lazy(() =>
  import('../results/health/chunk.ts').then((module) => module.DesignHealth),
);

const lockedNames = new Set<string>(lockedProperties);

const groupFields: FieldSpec[] = [
  { property: 'name' },
  { property: 'size', as: 'number', unit: '%' },
  { property: 'description', as: 'long' },
  { property: 'parameterValues', as: 'json' },
];

const fields: FieldSpec[] = [
  {
    property: 'allocation',
    as: 'number',
    unit: '%',
    hint: 'Percent of its layer, or of all traffic.',
  },
  { property: 'layerID', kind: 'layers', empty: null },
  { property: 'targetingGateID', kind: 'gates', empty: '' },
  idType,
];

const freshGroup = (groups: Group[]): Group => ({
  id: randomID(),
  name: `Variant ${groups.length}`,
  size: 0,
  parameterValues: {},
  description: '',
  disabled: false,
});

interface DesignGroupsProps {
  editing: Editing<Experiment>;
  isOpen: boolean;
}

const DesignGroups = ({ editing, isOpen }: DesignGroupsProps) => {
  const { stored, value } = editing;
  const { groups } = value;
  const shareEvenly = () => {
    const sizes = evenShares(groups.length);
    editing.set({ groups: groups.map((group, index) => ({ ...group, size: sizes[index] ?? 0 })) });
  };
  return (
    <Section title={count(groups.length, 'group')}>
      {isOpen ? (
        <>
          <AsTable
            fits={groups.every(({ parameterValues }) => isObject(parameterValues))}
            table={
              <GroupsTable {...editing} stored={stored.groups} fresh={() => freshGroup(groups)} />
            }
            json={
              <>
                <Split
                  label="Shares"
                  parts={groups.map(({ name, size }) => ({ name, percent: Number(size) || 0 }))}
                />
                <Sum shares={groups.map(({ size }) => size)} />
                <Rows
                  {...editing}
                  property="groups"
                  noun="group"
                  hasSeries
                  none="No groups."
                  specs={() => groupFields}
                  fresh={() => freshGroup(groups)}
                />
              </>
            }
          />
          {groups.length > 1 && (
            <p>
              <Button onClick={shareEvenly}>Split evenly</Button>
            </p>
          )}
        </>
      ) : (
        <GroupsTable
          {...editing}
          stored={stored.groups}
          fresh={() => freshGroup(groups)}
          lock="locked"
        />
      )}
    </Section>
  );
};

/** The tab with the groups, their shares and values, allocation and targeting. */
export function Design({ editing }: { editing: Editing<Experiment> }) {
  const { stored, lock } = editing;
  const isOpen = stored.status === 'setup' && lock === undefined;
  const lockSinceStart = isOpen ? undefined : 'locked';
  const locks = (isLocked: boolean) =>
    fields.filter(({ property }) => lockedNames.has(property) === isLocked);
  const hasStarted = stored.status !== 'setup' && stored.status !== 'archived';
  return (
    <div class="stack">
      {stored.startTime !== null && <Health experiment={stored} />}
      {hasStarted && (
        <Note look="info">
          Groups, layer, targeting and ID type are locked. Reset to change them.
        </Note>
      )}
      <DesignGroups editing={editing} isOpen={isOpen} />
      <div class="columns">
        <Fields {...editing} specs={locks(false)} />
        <Fields {...editing} specs={locks(true)} lock={lockSinceStart} />
      </div>
      <Targeting {...editing} lock={lockSinceStart} />
    </div>
  );
}
