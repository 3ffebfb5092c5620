/** Responses of the sample experiment. */
export const examples: Record<string, object> = {};
