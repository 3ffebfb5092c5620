// Bundles the console page into src/assets/page. Wrangler runs this before whatever it does (`[build]` in wrangler.toml),
// so that a clean clone needs no further command.
import { buildPage } from './page/build.js';
import { withoutPage } from './tool.js';

/** A local server whose build fails would hold every request, those of the API too: it goes on with the last page. */
const isServing = process.env.WRANGLER_COMMAND === 'dev';

if (process.env.PAGE !== withoutPage.PAGE)
  await buildPage('src/assets/page').catch(() => {
    process.exitCode = isServing ? 0 : 1;
  });
