export const sealedAt = (id: string) => `webhooks.${id}.secret`;

/** Returns a secret of 24 random bytes, as in Standard Webhooks. */
export const randomSecret = () => `whsec_${crypto.getRandomValues(new Uint8Array(24)).toBase64()}`;
