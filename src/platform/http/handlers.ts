import { createFactory } from 'hono/factory';
import type { Service } from '../env.ts';

export const { createHandlers } = createFactory<Service>();
