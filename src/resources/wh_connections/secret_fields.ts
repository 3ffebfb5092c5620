// Without zod, so that the console page has the very names that bodies are sealed by.

/** The fields that hold secrets, in whatever section. See docs/contract/completions.md#3-behavior. */
export const secretFields: ReadonlySet<string> = new Set([
  'accessToken',
  'serviceUserPassword',
  'privateKey',
  'keyPassPhrase',
  'password',
  'sshPrivateKey',
]);

/** What stands for a secret in answers: `accessToken` → `<ACCESS_TOKEN>`. */
export const placeholderOf = (field: string) =>
  `<${field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}>`;
