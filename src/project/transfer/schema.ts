import * as z from 'zod';
import { nullableText, stampsExample, strings, time } from '../../base/fields.ts';
import { anyObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { propertyChange } from '../../platform/operations/history.ts';
import { loggedAction } from '../../platform/resource/logged.ts';

const tagExample = {
  id: 'checkout',
  ...stampsExample,
  name: 'checkout',
  description: 'Everything related to payment.',
  isCore: true,
};

export const end = z.object({ entities: z.int(), revisions: z.int() }).meta({ id: 'ExportEnd' });

const link = nullableText.optional();

export const exported = z.string().meta({
  id: 'Export',
  examples: [`${JSON.stringify({ kind: 'tag', entity: tagExample })}\n`],
});

/** Returns the schemas of imports, and of the lines of exports, for the names of the exported kinds. */
export function importSchemas(kinds: readonly string[]) {
  const kind = z.enum(kinds).meta({ id: 'PortableKind' });
  const revision = z
    .strictObject({
      kind,
      id: z.string(),
      version: z.int().min(1),
      action: loggedAction,
      actorID: z.string(),
      actorName: z.string(),
      time,
      requestID: z.string(),
      note: nullableText.optional(),
      snapshot: anyObject,
      changes: z.array(z.strictObject(propertyChange.shape)).max(limits.keys),
    })
    .meta({ id: 'PortableRevision' });
  const line = z
    .strictObject({ kind, entity: anyObject, revision, end })
    .partial()
    .meta({ id: 'ExportLine', examples: [{ kind: 'tag', entity: tagExample }] });
  const listResponse = z.object({
    kind: kind.optional(),
    data: z.union([
      z.array(anyObject).max(limits.arrivals),
      anyObject.transform((settings) => [settings]), // of environments and connections
    ]),
    pagination: z.object({ all: link, nextPage: link, previousPage: link }).optional(),
  });
  const body = z
    .object({
      lines: z.array(z.union([line, listResponse])).max(limits.arrivals),
      ...listResponse.partial().shape,
    })
    .partial()
    .meta({
      id: 'Import',
      examples: [{ lines: [{ kind: 'tag', entity: tagExample }] }],
    });
  return { revision, line, listResponse, body };
}

export type ImportSchemas = ReturnType<typeof importSchemas>;

export type PortableRevision = z.infer<ImportSchemas['revision']>;

export type Line = z.infer<ImportSchemas['line']>;

export type ListResponse = z.infer<ImportSchemas['listResponse']>;

export const refusal = z
  .object({
    place: z.string(),
    kind: z.string(),
    id: z.string(),
    message: z.string(),
  })
  .meta({ id: 'ImportRefusal' });

export type Refusal = z.infer<typeof refusal>;

export const importExample = { stored: 1, unchanged: 0, refused: [], skipped: 0, ignored: [] };

export const importReport = z
  .object({
    stored: z.int(),
    unchanged: z.int(),
    refused: z.array(refusal),
    skipped: z.int(),
    ignored: strings,
  })
  .meta({
    id: 'ImportReport',
    examples: [importExample],
  });

export type ImportReport = z.infer<typeof importReport>;
