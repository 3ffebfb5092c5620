import * as z from 'zod';
import { distinct } from '../../shared/distinct.ts';
import { name } from '../../shared/fields.ts';
import { limits } from '../../shared/limits.ts';
import { loggedAction, loggedKind } from '../logged.ts';
import { webhookExample } from './schema.ts';

const filterOf = <S extends z.ZodType>(item: S, what: string) =>
  z
    .array(item)
    .max(limits.filterValues)
    .transform(distinct)
    .meta({ description: `${what} to notify about; all if empty.` });

/** 24 to 64 bytes in base64. */
const secret =
  /^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const fields = z.object({
  name,
  url: z
    .url({ protocol: /^https?$/, error: 'must be an https: URL' })
    .max(2000)
    .meta({
      description: 'The URL of deliveries: only https, and no address of a private network.',
    }),
  kinds: filterOf(loggedKind, 'Kinds of the audit log, in singular or plural,'),
  actions: filterOf(loggedAction, 'Actions of the audit log'),
  isActive: z.boolean(),
  secret: z
    .string()
    .regex(secret, 'must be whsec_ and the base64 of 24 to 64 bytes')
    .meta({ description: 'The key that signs deliveries; generated if missing.' }),
});

export const webhookPatch = fields
  .partial()
  .meta({ id: 'WebhookPatch', examples: [{ kinds: ['gate'] }] });

export const webhookCreate = fields
  .partial()
  .required({ name: true, url: true })
  .meta({ id: 'WebhookCreate', examples: [webhookExample] });
