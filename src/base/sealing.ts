import { Problem } from './problem.ts';

const encoder = new TextEncoder();

const importKey = (bytes: BufferSource) =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);

function keyBytes(text = ''): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.fromBase64(text);
    return bytes.length === 32 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

export const isSealingKey = (text: string | undefined) => keyBytes(text) !== undefined;

async function sealingKey(text: string | undefined): Promise<CryptoKey> {
  const bytes = keyBytes(text);
  if (bytes) return await importKey(bytes);
  const how = 'openssl rand -base64 32 | npx wrangler secret put SEALING_KEY';
  throw new Problem('sealing', `To store secrets, set the secret SEALING_KEY first: ${how}`);
}

/** Derives a key from a password, for one purpose. */
export const keyFrom = async (purpose: string, password: string): Promise<CryptoKey> =>
  importKey(await crypto.subtle.digest('SHA-256', encoder.encode(`${purpose} ${password}`)));

/** Encrypts with AES-256-GCM, bound to a place; returns base64 of the IV (12 bytes), the ciphertext and its tag. */
export async function encrypt(key: CryptoKey, place: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: 'AES-GCM', iv, additionalData: encoder.encode(place) };
  const sealed = await crypto.subtle.encrypt(algorithm, key, encoder.encode(text));
  const whole = new Uint8Array(iv.length + sealed.byteLength);
  whole.set(iv);
  whole.set(new Uint8Array(sealed), iv.length);
  return whole.toBase64();
}

/** Decrypts the output of `encrypt`. @throws if the key or the place differ */
export async function decrypt(key: CryptoKey, place: string, sealed: string): Promise<string> {
  const bytes = Uint8Array.fromBase64(sealed);
  const iv = bytes.slice(0, 12);
  const algorithm = { name: 'AES-GCM', iv, additionalData: encoder.encode(place) };
  return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes.slice(12)));
}

/** Encrypts a secret for the property `place`; `key` is base64 of 32 bytes. @throws Problem 503 without a usable key */
export const seal = async (key: string | undefined, place: string, text: string) =>
  encrypt(await sealingKey(key), place, text);

/** Decrypts a secret. @throws Problem 503 without a usable key, or if it was sealed with another key */
export async function unseal(
  key: string | undefined,
  place: string,
  sealed: string,
): Promise<string> {
  const own = await sealingKey(key);
  return decrypt(own, place, sealed).catch(() => {
    const message =
      'The secret was encrypted with another SEALING_KEY: set that key again, or store the secret again.';
    throw new Problem('sealing', message);
  });
}
