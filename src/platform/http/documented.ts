import type { ValidationTargets } from 'hono';
import type * as z from 'zod';
import { isRecord } from '../../base/value_types.ts';
import type { Success } from '../env.ts';

/** The key under which middleware holds its documentation for the OpenAPI document. */
export const documented = Symbol('documented');

export interface RequestPart {
  target: keyof ValidationTargets;
  schema: z.ZodType;
}

/** Whether the documentation of a middleware describes a part of the request. */
export const isRequestPart = (note: unknown): note is RequestPart =>
  isRecord(note) && 'target' in note;

export interface Operation {
  summary: string;
  success?: Success | undefined;
  response: () => z.ZodType;
  status: 200 | 201;
  isLines?: boolean;
  /** Whether it responds with CSV only. */
  isCSV?: boolean;
  /** Whether it also responds with CSV, by Accept. */
  isTable?: boolean;
  isUntagged?: boolean;
  /** Whether it changes nothing, even as a POST, and returns no entity. */
  reads?: boolean;
  /** Whether it can fail with 409 although it changes nothing. */
  conflicts?: boolean;
  /** Whether a POST without an ID replaces the stored state. */
  replaces?: boolean;
  isUnversioned?: boolean;
}
