/** Who sent an event or exposure. `unknown` is what was stored before senders were. */
export const senders = ['server', 'client', 'management', 'import', 'unknown'] as const;

export type Sender = (typeof senders)[number];
