import type { Settles } from '../http/settling.ts';
import { scheduledStarts } from './experiments/schedule.ts';
import { releasesOf } from './release_pipeline_triggers/schedule.ts';

export const allDue: readonly Settles[] = [releasesOf('id'), scheduledStarts];
