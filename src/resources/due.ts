import type { Settles } from '../http/settling.ts';
import { scheduledStarts } from './experiments/schedule.ts';
import { releasesOf } from './release_pipeline_triggers/schedule.ts';

/** All that time changes, for what shows more than one kind: phases of releases, and starts of experiments. */
export const allDue: readonly Settles[] = [releasesOf('id'), scheduledStarts];
