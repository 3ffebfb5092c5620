import * as z from 'zod';
import { distinct } from '../../base/distinct.ts';
import { name } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { loggedAction, loggedKind } from '../../platform/resource/logged.ts';
import { kindsOf, type Resource } from '../../platform/resource/resource.ts';
import { webhookBodyExample } from './schema.ts';

const filterOf = <S extends z.ZodType>(item: S) =>
  z.array(item).max(limits.filterValues).transform(distinct);

/** 24 to 64 bytes in base64. */
const secret =
  /^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the schemas of the bodies; webhooks are notified about all resources of the registry. */
export function webhookBodies(registry: readonly Resource[]) {
  const fields = z.object({
    name,
    url: z.url({ protocol: /^https?$/, error: 'must be an https: URL' }).max(2000),
    kinds: filterOf(loggedKind(kindsOf(registry))),
    actions: filterOf(loggedAction),
    isActive: z.boolean(),
    secret: z.string().regex(secret, 'must be whsec_ and the base64 of 24 to 64 bytes'),
  });
  const patch = fields.partial().meta({ id: 'WebhookPatch', examples: [{ kinds: ['gate'] }] });
  const create = fields
    .partial()
    .required({ name: true, url: true })
    .meta({ id: 'WebhookCreate', examples: [webhookBodyExample] });
  return { patch, create };
}

export type WebhookBodies = ReturnType<typeof webhookBodies>;
