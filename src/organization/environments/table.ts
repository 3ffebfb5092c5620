import { kind } from '../../model/define_kind.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import type { Environments } from './schema.ts';

export const environmentsTable = entityTable('environments', {
  environments: json<Environments['environments']>(),
});

export const environmentsID = 'environments';

const unenforcedFlags = ['requiresReview', 'requiresReleasePipeline'] as const;

function newlyEnabledFlags(
  before: Environments | undefined,
  { environments }: Environments,
): string[] {
  const environmentsBefore = new Map(before?.environments.map((one) => [one.name, one]));
  return environments.flatMap((one, index) =>
    unenforcedFlags
      .filter((flag) => one[flag] && !environmentsBefore.get(one.name)?.[flag])
      .map((flag) => `environments.${index}.${flag}`),
  );
}

export const environments = kind<Environments>({
  kind: 'environments',
  title: 'List of environments',
  table: environmentsTable,
  refs: {
    parts: ({ environments }) =>
      environments.map(({ name }) => ({ kind: 'environment', id: name })),
  },
  unenforced: newlyEnabledFlags,
});
