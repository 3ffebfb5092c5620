import * as z from 'zod';
import { usedName } from '../../operations/names.ts';
import { addressableName, description, stamps, stampsExample } from '../../shared/fields.ts';

const example = {
  name: 'storefront',
  description: 'The shop as customers see it.',
};

const registeredExample = { id: example.name, ...example, ...stampsExample };

/** A target app, as it is registered; its name is its id. */
export const targetAppResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    ...stamps,
  })
  .meta({ id: 'TargetApp', examples: [registeredExample] });

export type TargetApp = z.infer<typeof targetAppResponse>;

/** The same in lists, be it registered or only used. */
export const usedTargetApp = usedName(targetAppResponse, 'UsedTargetApp', registeredExample);

/** Body of PATCH /target_apps/{id}. */
export const targetAppPatch = z
  .object({ name: addressableName, description })
  .partial()
  .meta({ id: 'TargetAppPatch', examples: [{ description: 'The shop as customers see it.' }] });

/** Body of POST /target_apps. */
export const targetAppCreate = targetAppPatch
  .required({ name: true })
  .meta({ id: 'TargetAppCreate', examples: [example] });
