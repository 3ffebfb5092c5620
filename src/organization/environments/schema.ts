import * as z from 'zod';
import { addressableName, distinctNames, stamps, stampsExample } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';

const flags = {
  isProduction: z.boolean(),
  requiresReview: z.boolean(),
  requiresReleasePipeline: z.boolean(),
};

export const environment = z
  .object({ id: z.string(), name: z.string(), ...flags })
  .meta({ id: 'Environment' });

export const environmentInput = z
  .object({ name: addressableName, id: addressableName, ...flags })
  .partial()
  .required({ name: true })
  .meta({ id: 'EnvironmentInput' });

type EnvironmentInput = z.infer<typeof environmentInput>;

/** Completes environments: the id defaults to the name, flags to false. */
export const completeEnvironments = ({ environments }: { environments: EnvironmentInput[] }) =>
  environments.map(({ name, ...given }) => ({
    id: name,
    name,
    isProduction: false,
    requiresReview: false,
    requiresReleasePipeline: false,
    ...given,
  }));

export const defaultEnvironments = completeEnvironments({
  environments: [
    { name: 'development' },
    { name: 'staging' },
    { name: 'production', isProduction: true },
  ],
});

export const environmentsResponse = z
  .object({ environments: z.array(environment), ...stamps })
  .meta({
    id: 'Environments',
    examples: [{ environments: defaultEnvironments, ...stampsExample }],
  });

export const usedEnvironment = environment
  .extend({ uses: z.int() })
  .meta({ id: 'UsedEnvironment' });

export const environmentsRead = z
  .object({ environments: z.array(usedEnvironment), ...z.object(stamps).partial().shape })
  .meta({
    id: 'EnvironmentsRead',
    examples: [{ environments: defaultEnvironments.map((usual) => ({ ...usual, uses: 2 })) }],
  });

export type Environments = z.infer<typeof environmentsResponse> & { id: string };

function distinctIDs(environments: EnvironmentInput[], context: z.RefinementCtx): void {
  const all = completeEnvironments({ environments });
  if (new Set(all.map(({ name }) => name)).size === all.length) distinctNames('id')(all, context);
}

export const environmentsUpdate = z
  .object({
    environments: z
      .array(environmentInput)
      .max(limits.environments)
      .superRefine(distinctNames('name'))
      .superRefine(distinctIDs)
      .meta({ maxItems: limits.environments }),
  })
  .meta({ id: 'EnvironmentsUpdate', examples: [{ environments: defaultEnvironments }] });
