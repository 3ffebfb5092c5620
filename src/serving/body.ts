import { cutOff } from '../http/body.ts';

/**
 * The bytes of a body.
 * @param most how many they may be
 * @returns undefined where they are more; the rest is not read
 */
export async function bytesOf(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > most) return undefined;
    parts.push(part);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/**
 * The bytes of a request's body; one that says its length is read in one go, for a stream costs a small request more than
 * all else.
 * @param most how many they may be
 * @returns undefined where they are more
 * @throws Problem 400 where the sender left before the end
 */
export async function bodyOf(
  request: Request,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const length = request.headers.get('Content-Length');
  if (length === null) return bytesOf(request.body, most).catch(cutOff);
  if (Number(length) > most) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer().catch(cutOff));
  return bytes.byteLength > most ? undefined : bytes;
}

const decoder = new TextDecoder();

/** The text of bytes; what is no UTF-8 in them is replaced. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);
