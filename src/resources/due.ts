import type { Settles } from '../http/settling.ts';
import { scheduledStarts } from './experiments/schedule.ts';
import { releasesOf } from './release_pipeline_triggers/schedule.ts';

/** Every change that becomes due by time, for responses with several kinds. */
export const allDue: readonly Settles[] = [releasesOf('id'), scheduledStarts];
