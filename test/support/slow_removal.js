// Loaded before a program: where that removes what wrangler bundled, it stands still until a watcher has surely seen it.
import fs from 'node:fs';

const { rmSync } = fs;
fs.rmSync = (path, options) => {
  rmSync(path, options);
  const still = new Int32Array(new SharedArrayBuffer(4));
  if (/bundle-\w+$/.test(String(path))) Atomics.wait(still, 0, 0, 2500);
};
