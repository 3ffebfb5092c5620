import * as z from 'zod';
import { propertyChange } from '../../operations/history.ts';
import { most } from '../../shared/bounds.ts';
import { nullableText, stampsExample, strings, time } from '../../shared/fields.ts';
import { anyObject } from '../../shared/json.ts';
import { loggedAction } from '../logged.ts';
import { portables } from './portable.ts';

const kind = z.enum(portables.map((portable) => portable.kind.kind)).meta({ id: 'PortableKind' });

/** A row of history as it goes from one project to another. */
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
    changes: z.array(z.strictObject(propertyChange.shape)).max(most.keys),
  })
  .meta({ id: 'PortableRevision' });

export type PortableRevision = z.infer<typeof revision>;

const tagExample = {
  id: 'checkout',
  ...stampsExample,
  name: 'checkout',
  description: 'All that is part of paying.',
  isCore: true,
};

/** What is said of an export beside its rows: at the end, how much there was. */
const end = z.object({ entities: z.int(), revisions: z.int() }).meta({ id: 'ExportEnd' });

/** One line of an export: an entity, a row of history, or the end. */
export const line = z
  .strictObject({ kind, entity: anyObject, revision, end })
  .partial()
  .meta({ id: 'ExportLine', examples: [{ kind: 'tag', entity: tagExample }] });

export type Line = z.infer<typeof line>;

/** The text of an export: lines of JSON, which no client can read as one. */
export const exported = z.string().meta({
  id: 'Export',
  description: 'JSON lines: on each an `ExportLine`.',
  examples: [`${JSON.stringify({ kind: 'tag', entity: tagExample })}\n`],
});

const link = nullableText.optional();

/** The answer of a list operation, of this service or another that speaks this API. */
export const listAnswer = z.object({
  kind: kind.optional().meta({ description: 'What `data` has, where no link of it says so.' }),
  data: z.union([
    z.array(anyObject).max(most.arrivals),
    anyObject.transform((settings) => [settings]), // those of environments and connections
  ]),
  pagination: z.object({ all: link, nextPage: link, previousPage: link }).optional(),
});

/** Body of POST /import: the lines of an export, or the answer of a list operation. */
export const importBody = z
  .object({
    lines: z.array(z.union([line, listAnswer])).max(most.arrivals),
    ...listAnswer.partial().shape,
  })
  .partial()
  .meta({
    id: 'Import',
    description:
      'The lines of an export, the answer of a list operation as it is, or several of them as `lines`. With Content-Type: application/x-ndjson each line of the body is one of `lines`.',
    examples: [{ lines: [{ kind: 'tag', entity: tagExample }] }],
  });

export type ListAnswer = z.infer<typeof listAnswer>;

const refusal = z
  .object({
    place: z.string().meta({ description: 'Where in the body it stands: `lines.3.data.5`.' }),
    kind: z.string(),
    id: z.string(),
    message: z.string(),
  })
  .meta({ id: 'ImportRefusal' });

export type Refusal = z.infer<typeof refusal>;

/** What became of an import of one entity. */
export const importExample = { stored: 1, unchanged: 0, refused: [], skipped: 0, ignored: [] };

/** What became of an import. */
export const importReport = z
  .object({
    stored: z.int(),
    unchanged: z.int().meta({ description: 'How many were there already, just so.' }),
    refused: z.array(refusal),
    skipped: z.int().meta({
      description: 'How many were not stored since one of their thousand was refused.',
    }),
    ignored: strings.meta({ description: 'Properties that mean nothing here.' }),
  })
  .meta({
    id: 'ImportReport',
    examples: [importExample],
  });

export type ImportReport = z.infer<typeof importReport>;
