import * as z from 'zod';
import { displayName } from '../../base/fields.ts';
import { isStep } from '../../base/ids.ts';
import { jsonObject } from '../../base/json.ts';
import { report } from '../../base/report.ts';
import { isReportable, reportedTime, tooFarAhead } from '../../base/time_fields.ts';
import { senders } from '../exposures/senders.ts';
import { hasOneIDPerType, unitIDsInput } from './unit_ids.ts';

/** Bounds the ID that a sender gives an event. */
export const maxEventIDCharacters = 128;

const momentText = z.string().regex(/^\d{1,16}$/, 'must be epoch milliseconds');

const example = {
  timestamp: '1767225600000',
  name: 'purchase',
  source: 'shop',
  value: '19.90',
  userID: 'u-1',
  metadata: { currency: 'EUR' },
};

export const eventResponse = z
  .object({
    timestamp: z.string(),
    name: z.string(),
    source: z.string(),
    value: z.string(),
    userID: z.string(),
    metadata: jsonObject,
    sender: z.enum(senders),
    eventID: z.string().nullable(),
  })
  .meta({ id: 'Event', examples: [{ ...example, sender: 'management', eventID: null }] });

export const eventInput = z
  .object({
    timestamp: z
      .union([reportedTime, momentText.transform(Number).pipe(reportedTime)])
      .refine(isReportable, tooFarAhead)
      .optional(),
    name: displayName(1, 200).refine((name) => !isStep(name), 'must be more than dots'),
    source: z.string().optional(),
    value: z.union([z.string(), z.number()]).transform(String).optional(),
    userID: z.string().optional(),
    metadata: jsonObject.optional(),
    unitIDs: unitIDsInput.optional(),
    eventID: z.string().min(1).max(maxEventIDCharacters).optional(),
  })
  .superRefine(({ userID = '', unitIDs = {} }, context) => {
    if (!hasOneIDPerType(userID, unitIDs))
      report(context, 'must contain one ID for each ID type; userID is one', 'unitIDs');
  })
  .meta({ id: 'EventInput' });

export const nameParam = z.object({ name: z.string() });

export const eventsImport = z.object({ events: z.array(eventInput).min(1).max(1000) }).meta({
  id: 'EventsImport',
  examples: [{ events: [{ ...example, unitIDs: { companyID: 'c-1' } }] }],
});

export type EventInput = z.infer<typeof eventInput>;

export type Event = Required<Omit<EventInput, 'eventID'>>;
