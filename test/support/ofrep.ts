import { expect } from 'vitest';
import * as z from 'zod';

/** What answers of OFREP 0.3 are like, written down from its published description. */

const metadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]));

const success = z.looseObject({
  key: z.string(),
  // DEFAULT is not among those of the description, but of OpenFeature, and its decision 6 has it.
  reason: z.enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'UNKNOWN', 'DEFAULT']),
  variant: z.string().optional(),
  metadata: metadata.optional(),
  // The description wants just one of its types to fit, and has one without a value, which all fit: any is meant.
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
  url: z.undefined().optional(), // an address is given in one of two ways, and we give it in the other
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

/** The answers that are described, by their status: to the question for one flag, and to that for all. */
const described: Record<'one' | 'all', Record<number, z.ZodType>> = {
  one: { 200: success, 400: failure, 404: unknownFlag, 500: broken, 503: broken },
  all: { 200: all, 400: allFailed, 500: broken, 503: broken },
};

/** Checks an answer of OFREP, where its status is one that has a described body. */
export function checkOFREP(path: string, status: number, body: unknown): void {
  if (!path.startsWith(flags)) return;
  const isOfOne = path.startsWith(`${flags}/`);
  const schema = described[isOfOne ? 'one' : 'all'][status];
  const { error } = schema?.safeParse(body) ?? {};
  expect(
    error && z.prettifyError(error),
    `${path} answers ${JSON.stringify(body)}`,
  ).toBeUndefined();
}
