import * as z from 'zod';
import { scopes } from '../../env.ts';
import { name, nullableText, stamps, stampsExample, time } from '../../shared/fields.ts';

const scope = z.enum(scopes).meta({ id: 'Scope' });

const example = {
  id: '4f0e0c1e-5d8b-4d5c-9a53-0d7f7b0f4a21',
  name: 'Deploy pipeline',
  scopes: ['read', 'write'],
  isActive: true,
  expiresTime: null,
  ownerEmail: null,
};

/** An API key as it is answered: never the key itself. */
export const keyResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    isActive: z.boolean(),
    expiresTime: time.nullable(),
    ownerEmail: nullableText,
    ...stamps,
  })
  .meta({ id: 'Key', examples: [{ ...example, ...stampsExample }] });

/** A key at its creation or rotation: the only time that the key itself is shown. */
export const newKeyResponse = keyResponse
  .extend({ key: z.string() })
  .meta({ id: 'NewKey', examples: [{ ...example, ...stampsExample, key: 'console-3f9c…' }] });

/** A key as it is stored: of the key itself, its SHA-256. */
export type Key = z.infer<typeof keyResponse> & { hash: string };

const fields = z.object({
  name,
  scopes: z.array(scope).min(1).max(10),
  expiresTime: time.nullable(),
  ownerEmail: z.email().nullable(),
});

/** Body of PATCH /keys/{id}. */
export const keyPatch = fields
  .partial()
  .meta({ id: 'KeyPatch', examples: [{ name: 'Deploy pipeline (staging)' }] });

/** Body of POST /keys (completions, section 4). */
export const keyCreate = fields
  .partial({ expiresTime: true, ownerEmail: true })
  .meta({ id: 'KeyCreate', examples: [{ name: 'Deploy pipeline', scopes: ['read', 'write'] }] });
