const shares = new Set(['event_user', 'funnel']);

/** Whether the mean of a metric is a share of units. The type is the last part of its ID. */
export const isShare = (metricID: string) => shares.has(metricID.split('::').at(-1) ?? '');
