// Without zod, so that the console can import it.

/** The secret fields of all sections. See docs/contract/completions.md#3-behavior. */
export const secretFields: ReadonlySet<string> = new Set([
  'accessToken',
  'serviceUserPassword',
  'privateKey',
  'keyPassPhrase',
  'password',
  'sshPrivateKey',
]);

/** Returns the placeholder of a secret: `accessToken` → `<ACCESS_TOKEN>`. */
export const secretPlaceholder = (field: string) =>
  `<${field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}>`;
