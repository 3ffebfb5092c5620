import * as z from 'zod';
import { distinct } from '../../base/distinct.ts';
import { name, nullableText, stamps, stampsExample, time, word } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { scopes } from '../../platform/env.ts';

const scope = z.enum(scopes).meta({ id: 'Scope' });

export const keyTypes = ['CONSOLE', 'SERVER', 'CLIENT'] as const;
export type KeyType = (typeof keyTypes)[number];

const keyType = z.enum(keyTypes).meta({ id: 'KeyType' });
const environmentNames = z.array(word).min(1).max(limits.entries);
const targetAppID = nullableText;

const reports = z.object({ events: z.boolean(), exposures: z.boolean() });

export type Reports = z.infer<typeof reports>;

export const allReports: Reports = { events: true, exposures: true };

const example = {
  id: '4f0e0c1e-5d8b-4d5c-9a53-0d7f7b0f4a21',
  name: 'Deploy pipeline',
  type: 'CONSOLE',
  scopes: ['read', 'write'],
  environments: null,
  targetAppID: null,
  reports: { events: true, exposures: true },
  isActive: true,
  expiresTime: null,
  ownerEmail: null,
};

export const keyResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    type: keyType,
    scopes: z.array(scope),
    environments: environmentNames.nullable(),
    targetAppID,
    reports,
    isActive: z.boolean(),
    expiresTime: time.nullable(),
    ownerEmail: nullableText,
    ...stamps,
  })
  .meta({ id: 'Key', examples: [{ ...example, ...stampsExample }] });

export const newKeyResponse = keyResponse
  .extend({ key: z.string() })
  .meta({ id: 'NewKey', examples: [{ ...example, ...stampsExample, key: 'console-3f9c…' }] });

/** The stored key: only its SHA-256. */
export type Key = z.infer<typeof keyResponse> & { hash: string };

const fields = z.object({
  name,
  scopes: z.array(scope).min(1).max(10).transform(distinct),
  environments: environmentNames.transform(distinct).nullable(),
  targetAppID: targetAppID.transform((app) => app?.trim() || null),
  reports: reports.partial(),
  expiresTime: time.nullable(),
  ownerEmail: z.email().nullable(),
});

export const keyPatch = fields
  .partial()
  .meta({ id: 'KeyPatch', examples: [{ name: 'Deploy pipeline (staging)' }] });

export const keyCreate = fields
  .partial()
  .required({ name: true })
  .extend({ type: keyType.optional() })
  .meta({ id: 'KeyCreate', examples: [{ name: 'Deploy pipeline', scopes: ['read', 'write'] }] });
