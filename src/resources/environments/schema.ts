import * as z from 'zod';
import { most } from '../../shared/bounds.ts';
import { addressableName, distinctNames, stamps, stampsExample } from '../../shared/fields.ts';

const flags = {
  isProduction: z.boolean(),
  requiresReview: z.boolean(),
  requiresReleasePipeline: z.boolean(),
};

const environment = z
  .object({ id: z.string(), name: z.string(), ...flags })
  .meta({ id: 'Environment' });

const environmentInput = z
  .object({ name: addressableName, id: addressableName, ...flags })
  .partial()
  .required({ name: true })
  .meta({ id: 'EnvironmentInput' });

type EnvironmentInput = z.infer<typeof environmentInput>;

/** Environments with all that is said of one: an id that is the name, and no flags, where a body says nothing. */
export const wholeEnvironments = ({ environments }: { environments: EnvironmentInput[] }) =>
  environments.map(({ name, ...given }) => ({
    id: name,
    name,
    isProduction: false,
    requiresReview: false,
    requiresReleasePipeline: false,
    ...given,
  }));

/** The environments before anybody set them. */
export const usualEnvironments = wholeEnvironments({
  environments: [
    { name: 'development' },
    { name: 'staging' },
    { name: 'production', isProduction: true },
  ],
});

/** The environments that rules and overrides name. */
export const environmentsResponse = z
  .object({ environments: z.array(environment), ...stamps })
  .meta({ id: 'Environments', examples: [{ environments: usualEnvironments, ...stampsExample }] });

const usedEnvironment = environment
  .extend({ uses: z.int().meta({ description: 'How many entities name it.' }) })
  .meta({ id: 'UsedEnvironment' });

/** The environments as they are read: with those that are only used; without a version before anybody set them. */
export const environmentsRead = z
  .object({ environments: z.array(usedEnvironment), ...z.object(stamps).partial().shape })
  .meta({
    id: 'EnvironmentsRead',
    examples: [{ environments: usualEnvironments.map((usual) => ({ ...usual, uses: 2 })) }],
  });

export type Environments = z.infer<typeof environmentsResponse> & { id: string };

/** Ids must differ, also from the names that stand for the ids of others; names that do not are told so, and not twice. */
function distinctIDs(environments: EnvironmentInput[], context: z.RefinementCtx): void {
  const all = wholeEnvironments({ environments });
  if (new Set(all.map(({ name }) => name)).size === all.length) distinctNames('id')(all, context);
}

/** Body of POST /environments: all of them. */
export const environmentsUpdate = z
  .object({
    environments: z
      .array(environmentInput)
      .max(most.environments)
      .superRefine(distinctNames('name'))
      .superRefine(distinctIDs)
      .meta({ maxItems: most.environments }),
  })
  .meta({ id: 'EnvironmentsUpdate', examples: [{ environments: usualEnvironments }] });
