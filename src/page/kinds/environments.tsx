import type { Editing, FieldSpec, Kind } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import type { Environments } from '../types.ts';

const hint = 'Stored, but not enforced yet.';

const fields: FieldSpec[] = [
  { property: 'name' },
  { property: 'isProduction', label: 'Production', as: 'toggle' },
  { property: 'requiresReview', as: 'toggle', hint },
  { property: 'requiresReleasePipeline', label: 'Requires a pipeline', as: 'toggle', hint },
];

const List = ({ editing }: { editing: Editing<Environments> }) => (
  <div class="stack">
    <p class="quiet">Rules, overrides and API keys name them. One that is named stays.</p>
    <Rows
      {...editing}
      property="environments"
      noun="environment"
      none="There are none."
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

export const environments: Kind<Environments> = {
  path: 'environments',
  one: 'list of environments',
  many: 'Environments',
  icon: 'globe',
  about: 'Where an application runs, as rules and overrides name it.',
  isSingle: true,
  isUnnamed: true,
  columns: [],
  nameOf: () => 'Environments',
  tabs: [{ path: '', title: 'Environments', View: List }],
  method: 'POST',
};
