import type { Editing, FieldSpec, Kind } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import type { AssignmentSource } from '../types.ts';
import { about, FieldsOf, name, settings, tags } from './settings.tsx';

const columns: FieldSpec[] = [
  { property: 'sql', label: 'SQL', as: 'code' },
  { property: 'timestampColumn', as: 'text' },
  { property: 'groupIDColumn', label: 'Group ID column', as: 'text' },
  { property: 'experimentIDColumn', label: 'Experiment ID column', as: 'text' },
];

const Query = ({ editing }: { editing: Editing<AssignmentSource> }) => (
  <div class="stack">
    <FieldsOf editing={editing} specs={columns} />
    <section class="used">
      <h2 class="section-title">Which column holds which ID</h2>
      <Rows
        items={editing.value.idTypeMapping}
        noun="column"
        place="idTypeMapping"
        none="None yet."
        specs={() => [
          { property: 'serviceUnitID', label: 'ID type', as: 'text' },
          { property: 'column', as: 'text' },
        ]}
        fresh={() => ({ serviceUnitID: 'userID', column: '' })}
        lock={editing.lock}
        errors={editing.errors}
        onChange={(idTypeMapping) => editing.change({ idTypeMapping })}
      />
    </section>
  </div>
);

export const assignmentSources: Kind<AssignmentSource> = {
  path: 'assignment_sources',
  apiPath: 'experiments/assignment_sources',
  one: 'assignment source',
  many: 'Assignment sources',
  icon: 'bulb',
  about: 'An assignment source says where a warehouse keeps who was in which group.',
  columns: [{ title: 'Reads', render: ({ sql }) => <code class="clipped">{sql}</code> }],
  filters: [],
  tabs: [
    { path: '', title: 'Query', render: (editing) => <Query editing={editing} /> },
    settings([about, tags]),
  ],
  creation: { fields: [name, ...columns] },
};
