import { overdueReleases } from '../flags/releases/schedule.ts';
import type { OverdueChanges } from '../platform/http/overdue.ts';
import { scheduledStarts } from './experiments/schedule.ts';

export const allOverdue: readonly OverdueChanges[] = [overdueReleases('id'), scheduledStarts];
