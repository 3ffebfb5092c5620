import { expect } from 'vitest';
import * as z from 'zod';

// Schemas of OFREP 0.3 responses, from its published OpenAPI document.

const metadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]));

const success = z.looseObject({
  key: z.string(),
  // The OFREP document lacks DEFAULT, which OpenFeature and OFREP decision 6 define.
  reason: z.enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'UNKNOWN', 'DEFAULT']),
  variant: z.string().optional(),
  metadata: metadata.optional(),
  // The document uses `oneOf`, but one of its alternatives matches any value, so this is a union.
  value: z
    .union([z.boolean(), z.string(), z.number(), z.record(z.string(), z.unknown())])
    .optional(),
});

const common = { errorDetails: z.string().optional(), metadata: metadata.optional() };
const codes = ['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL'] as const;

const failure = z.looseObject({ ...common, key: z.string(), errorCode: z.enum(codes) });

const unknownFlag = failure.extend({ errorCode: z.literal('FLAG_NOT_FOUND') });

const eventStream = z.looseObject({
  type: z.string(),
  endpoint: z.looseObject({ origin: z.url().optional(), requestUri: z.string().startsWith('/') }),
  url: z.undefined().optional(), // the service sends `endpoint`, the alternative to `url`
  inactivityDelaySec: z.int().min(1).optional(),
});

const all = z.looseObject({
  flags: z.array(z.xor([success, failure])),
  metadata: metadata.optional(),
  eventStreams: z.array(eventStream).optional(),
});

const allFailed = z.looseObject({ errorCode: z.string(), errorDetails: z.string().optional() });

const broken = z.looseObject({ errorDetails: z.string().optional() });

const flags = '/ofrep/v1/evaluate/flags';

/** The schemas of responses by status, for one flag and for all flags. */
const described: Record<'one' | 'all', Record<number, z.ZodType>> = {
  one: { 200: success, 400: failure, 404: unknownFlag, 500: broken, 503: broken },
  all: { 200: all, 400: allFailed, 500: broken, 503: broken },
};

/** Checks the body of an OFREP response if its status has a schema. */
export function checkOFREP(path: string, status: number, body: unknown): void {
  if (!path.startsWith(flags)) return;
  const isOneFlag = path.startsWith(`${flags}/`);
  const schema = described[isOneFlag ? 'one' : 'all'][status];
  const { error } = schema?.safeParse(body) ?? {};
  expect(
    error && z.prettifyError(error),
    `${path} returns ${JSON.stringify(body)}`,
  ).toBeUndefined();
}
