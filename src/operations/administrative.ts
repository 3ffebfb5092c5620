/** The kinds that only a key with the scope admin may know of. */
export const administrative: ReadonlySet<string> = new Set([
  'key',
  'wh_connection',
  'user',
  'webhook',
  'webhook_delivery',
]);
