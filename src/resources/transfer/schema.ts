import * as z from 'zod';
import { propertyChange } from '../../operations/history.ts';
import { nullableText, stampsExample, strings, time } from '../../shared/fields.ts';
import { anyObject } from '../../shared/json.ts';
import { limits } from '../../shared/limits.ts';
import { loggedAction } from '../logged.ts';
import { portables } from './portable.ts';

const kind = z.enum(portables.map((portable) => portable.kind.kind)).meta({ id: 'PortableKind' });

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

export type PortableRevision = z.infer<typeof revision>;

const tagExample = {
  id: 'checkout',
  ...stampsExample,
  name: 'checkout',
  description: 'Everything related to payment.',
  isCore: true,
};

const end = z.object({ entities: z.int(), revisions: z.int() }).meta({ id: 'ExportEnd' });

export const line = z
  .strictObject({ kind, entity: anyObject, revision, end })
  .partial()
  .meta({ id: 'ExportLine', examples: [{ kind: 'tag', entity: tagExample }] });

export type Line = z.infer<typeof line>;

export const exported = z.string().meta({
  id: 'Export',
  description: 'JSON lines, each an `ExportLine`.',
  examples: [`${JSON.stringify({ kind: 'tag', entity: tagExample })}\n`],
});

const link = nullableText.optional();

/** The response of a list operation, of this service or another with this API. */
export const listResponse = z.object({
  kind: kind.optional().meta({ description: 'The kind of `data`, if no link indicates it.' }),
  data: z.union([
    z.array(anyObject).max(limits.arrivals),
    anyObject.transform((settings) => [settings]), // of environments and connections
  ]),
  pagination: z.object({ all: link, nextPage: link, previousPage: link }).optional(),
});

/** Body of POST /import: the lines of an export, or list responses. */
export const importBody = z
  .object({
    lines: z.array(z.union([line, listResponse])).max(limits.arrivals),
    ...listResponse.partial().shape,
  })
  .partial()
  .meta({
    id: 'Import',
    description:
      'The lines of an export, an unchanged response of a list operation, or several responses as `lines`. With Content-Type: application/x-ndjson each line of the body is one of `lines`.',
    examples: [{ lines: [{ kind: 'tag', entity: tagExample }] }],
  });

export type ListResponse = z.infer<typeof listResponse>;

const refusal = z
  .object({
    place: z.string().meta({ description: 'The position in the body: `lines.3.data.5`.' }),
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
    unchanged: z.int().meta({ description: 'The number of identical existing entities.' }),
    refused: z.array(refusal),
    skipped: z.int().meta({
      description:
        'The number of entities not stored because another one in their group of 1,000 was refused.',
    }),
    ignored: strings.meta({ description: 'Unknown, ignored properties.' }),
  })
  .meta({
    id: 'ImportReport',
    examples: [importExample],
  });

export type ImportReport = z.infer<typeof importReport>;
