import { kind } from '../../store/core/define_kind.ts';
import { entityTable, json } from '../../store/sql/columns.ts';
import type { Environments } from './schema.ts';

export const environmentsTable = entityTable('environments', {
  environments: json<Environments['environments']>(),
});

/** The id of the one list there is. */
export const environmentsID = 'environments';

/** What an environment asks for that nothing enforces yet. */
const asks = ['requiresReview', 'requiresReleasePipeline'] as const;

/** The flags of environments that are on now, and were not before. */
function newlyAsked(before: Environments | undefined, { environments }: Environments): string[] {
  const earlier = new Map(before?.environments.map((one) => [one.name, one]));
  return environments.flatMap((one, index) =>
    asks
      .filter((flag) => one[flag] && !earlier.get(one.name)?.[flag])
      .map((flag) => `environments.${index}.${flag}`),
  );
}

export const environments = kind<Environments>({
  kind: 'environments',
  title: 'List of environments',
  table: environmentsTable,
  unenforced: newlyAsked,
  parts: ({ environments }) => environments.map(({ name }) => ({ kind: 'environment', id: name })),
});
