// Supported by the runtime; missing from the types of Node.js 20.
import 'node:zlib';

declare module 'node:zlib' {
  export function zstdDecompressSync(
    bytes: Uint8Array,
    options: { maxOutputLength: number },
  ): Uint8Array;
  export function zstdCompressSync(bytes: Uint8Array): Uint8Array;
}
