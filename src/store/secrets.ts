/** A value that no answer may hold; `$secret` is the placeholder that stands for it, such as `<PASSWORD>`. */
export interface Secret {
  $secret: string;
  value: string;
}

const isSecret = (value: object): value is Secret => '$secret' in value;

/** The same JSON with a placeholder in place of each secret. */
export function hideSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (isSecret(value)) return value.$secret;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hideSecrets(part)]));
}
