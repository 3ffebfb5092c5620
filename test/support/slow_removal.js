// Preloaded into a program: blocks for 2.5 s after it removes the bundle of wrangler, so that a watcher notices it.
import fs from 'node:fs';

const { rmSync } = fs;
fs.rmSync = (path, options) => {
  rmSync(path, options);
  const still = new Int32Array(new SharedArrayBuffer(4));
  if (/bundle-\w+$/.test(String(path))) Atomics.wait(still, 0, 0, 2500);
};
