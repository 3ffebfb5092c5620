import * as z from 'zod';
import { nullableText, stamps, stampsExample, strings, time } from '../../base/fields.ts';

const idExample = '0d2f8c51-5a6b-4c43-9a6e-0f6b8f1c7a10';

export const webhookBodyExample = {
  name: 'Team chat',
  url: 'https://hooks.shop.example/console',
  kinds: ['gate', 'experiment'],
  actions: [],
  isActive: true,
};

export const webhookResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    kinds: strings,
    actions: strings,
    isActive: z.boolean(),
    ...stamps,
  })
  .meta({
    id: 'Webhook',
    examples: [{ id: idExample, ...webhookBodyExample, ...stampsExample }],
  });

export const webhookWithSecretResponse = webhookResponse.extend({ secret: z.string() }).meta({
  id: 'NewWebhook',
  examples: [
    {
      id: idExample,
      ...webhookBodyExample,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      ...stampsExample,
    },
  ],
});

/** The stored webhook; `secret` is encrypted. */
export type Webhook = z.infer<typeof webhookResponse> & { secret: string };

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const deliveryResponse = z
  .object({
    id: z.string(),
    kind: z.string(),
    entityID: z.string(),
    version: z.int(),
    action: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    nextTime: time.nullable(),
    lastTime: time.nullable(),
    lastError: nullableText,
    createdTime: time,
  })
  .meta({
    id: 'WebhookDelivery',
    examples: [
      {
        id: `msg_17_${idExample}`,
        kind: 'gate',
        entityID: 'new_checkout',
        version: 2,
        action: 'update',
        status: 'delivered',
        attempts: 1,
        nextTime: null,
        lastTime: 1767225601000,
        lastError: null,
        createdTime: 1767225600000,
      },
    ],
  });

export type Delivery = z.infer<typeof deliveryResponse>;
