// Bundles the console page into src/assets/page. Wrangler runs it before each of its commands (`[build]` in
// wrangler.toml), so that a clean clone needs no other command.
import { buildPage } from './page/build.js';
import { withoutPage } from './tool.js';

/** A failed build would block every request of a local server, so it keeps the last page. */
const isServing = process.env.WRANGLER_COMMAND === 'dev';

if (process.env.PAGE !== withoutPage.PAGE)
  await buildPage('src/assets/page').catch(() => {
    process.exitCode = isServing ? 0 : 1;
  });
