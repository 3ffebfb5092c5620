import type { AssignmentSource } from '../base/types.ts';
import { Rows } from '../entity/edit/rows.tsx';
import type { Editing, FieldSpec, KindPage } from '../entity/kind.ts';
import { about, FieldsOf, name, settings, tags } from '../experiment/settings.tsx';
import { Section } from '../ui/section.tsx';

const columns: FieldSpec[] = [
  { property: 'sql', as: 'code' },
  { property: 'timestampColumn' },
  { property: 'groupIDColumn' },
  { property: 'experimentIDColumn' },
];

const Query = ({ editing }: { editing: Editing<AssignmentSource> }) => (
  <div class="stack">
    <FieldsOf editing={editing} specs={columns} />
    <Section title="ID columns">
      <Rows
        {...editing}
        property="idTypeMapping"
        noun="column"
        none="None yet."
        specs={() => [{ property: 'serviceUnitID', label: 'ID type' }, { property: 'column' }]}
        fresh={() => ({ serviceUnitID: 'userID', column: '' })}
      />
    </Section>
  </div>
);

export const assignmentSources: KindPage<AssignmentSource> = {
  path: 'assignment_sources',
  kind: 'assignment_source',
  group: 'Connections',
  apiPath: 'experiments/assignment_sources',
  one: 'assignment source',
  many: 'Assignment sources',
  icon: 'bulb',
  about: 'An assignment source is a warehouse query that returns which unit was in which group.',
  columns: [{ title: 'Query', render: ({ sql }) => <code class="clipped">{sql}</code> }],
  tabs: [{ path: '', title: 'Query', View: Query }, settings([about, tags])],
  creation: { fields: [name, ...columns] },
};
