/** The place that the secret of a webhook is sealed for: it opens at no other. */
export const sealedAt = (id: string) => `webhooks.${id}.secret`;

/** A secret of 24 random bytes, as Standard Webhooks has them. */
export const randomSecret = () => `whsec_${crypto.getRandomValues(new Uint8Array(24)).toBase64()}`;
