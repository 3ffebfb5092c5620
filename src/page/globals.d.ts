// What the Worker's runtime has beside the types of a browser, for the schemas whose types the page takes.
interface SubtleCrypto {
  timingSafeEqual(a: ArrayBuffer | ArrayBufferView, b: ArrayBuffer | ArrayBufferView): boolean;
}
