import * as z from 'zod';
import { most } from '../../shared/bounds.ts';
import { distinct } from '../../shared/distinct.ts';
import { name } from '../../shared/fields.ts';
import { loggedAction, loggedKind } from '../logged.ts';
import { webhookExample } from './schema.ts';

const of = <S extends z.ZodType>(item: S, what: string) =>
  z
    .array(item)
    .max(most.filterValues)
    .transform(distinct)
    .meta({ description: `${what} that are told; all where empty.` });

/** 8 to 20 times three bytes, and up to four more. */
const secret =
  /^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const fields = z.object({
  name,
  url: z
    .url({ protocol: /^https?$/, error: 'must be an https: URL' })
    .max(2000)
    .meta({
      description: 'Where deliveries go: https alone, and no address of a private network.',
    }),
  kinds: of(loggedKind, 'Kinds, as the audit log has them, in singular or plural,'),
  actions: of(loggedAction, 'Actions, as the audit log has them,'),
  isActive: z.boolean(),
  secret: z
    .string()
    .regex(secret, 'must be whsec_ and the base64 of 24 to 64 bytes')
    .meta({ description: 'What deliveries are signed with; a new one where absent.' }),
});

/** Body of PATCH /webhooks/{id}. */
export const webhookPatch = fields
  .partial()
  .meta({ id: 'WebhookPatch', examples: [{ kinds: ['gate'] }] });

/** Body of POST /webhooks. */
export const webhookCreate = fields
  .partial()
  .required({ name: true, url: true })
  .meta({ id: 'WebhookCreate', examples: [webhookExample] });
