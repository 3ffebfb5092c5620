import type { OverdueChanges } from '../http/overdue.ts';
import { scheduledStarts } from './experiments/schedule.ts';
import { overdueReleases } from './release_pipeline_triggers/schedule.ts';

export const allOverdue: readonly OverdueChanges[] = [overdueReleases('id'), scheduledStarts];
