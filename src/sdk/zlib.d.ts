// The runtime has it; the types of Node 20 do not.
import 'node:zlib';

declare module 'node:zlib' {
  export function zstdDecompressSync(
    bytes: Uint8Array,
    options: { maxOutputLength: number },
  ): Uint8Array;
  export function zstdCompressSync(bytes: Uint8Array): Uint8Array;
}
