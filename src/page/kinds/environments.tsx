import type { Environments } from '../base/types.ts';
import { Rows } from '../entity/edit/rows.tsx';
import type { Editing, FieldSpec, KindPage } from '../entity/kind.ts';

const hint = 'Stored, but not enforced yet.';

const fields: FieldSpec[] = [
  { property: 'name' },
  { property: 'isProduction', label: 'Production', as: 'toggle' },
  { property: 'requiresReview', as: 'toggle', hint },
  { property: 'requiresReleasePipeline', label: 'Requires a pipeline', as: 'toggle', hint },
];

const EnvironmentList = ({ editing }: { editing: Editing<Environments> }) => (
  <div class="stack">
    <p class="quiet">An environment in use can't be deleted.</p>
    <Rows
      {...editing}
      property="environments"
      noun="environment"
      none="None yet."
      specs={() => fields}
      fresh={() => ({
        name: '',
        isProduction: false,
        requiresReview: false,
        requiresReleasePipeline: false,
      })}
    />
  </div>
);

export const environments: KindPage<Environments> = {
  path: 'environments',
  kind: 'environments',
  inHistory: 'environments',
  group: 'Settings',
  one: 'list of environments',
  many: 'Environments',
  icon: 'globe',
  about: 'Where applications run, such as production.',
  isSingle: true,
  isUnnamed: true,
  columns: [],
  nameOf: () => 'Environments',
  tabs: [{ path: '', title: 'Environments', View: EnvironmentList }],
  method: 'POST',
};
