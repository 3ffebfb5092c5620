/** Where the secret of a webhook is sealed for: at another place it does not open. */
export const sealedAt = (id: string) => `webhooks.${id}.secret`;

/** A secret of 24 random bytes, as Standard Webhooks has them. */
export const randomSecret = () => `whsec_${crypto.getRandomValues(new Uint8Array(24)).toBase64()}`;
