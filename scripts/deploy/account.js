// Who deploys: a token from the environment, or the account that wrangler is signed in to.
import { runTool } from '../tool.js';

/** Whether wrangler takes its credentials from the environment. */
export const hasToken = () =>
  Boolean(process.env.CLOUDFLARE_API_TOKEN || process.env.CLOUDFLARE_API_KEY);

/** Whether this runs without a person to answer or to keep a secret. */
export const isCI = () => !['', '0', 'false'].includes(process.env.CI ?? '');

/** Whether wrangler is signed in. */
async function isSignedIn() {
  const { status, output } = await runTool('wrangler', ['whoami', '--json']);
  if (status === 0) return true;
  if (/"loggedIn":\s*false/.test(output)) return false;
  throw new Error(output.trim());
}

/** Signs in through the browser unless a token or an earlier sign-in is there. */
export async function signIn() {
  if (hasToken() || (await isSignedIn())) return;
  if (isCI()) throw new Error('Not signed in to Cloudflare: set CLOUDFLARE_API_TOKEN.');
  const { status } = await runTool('wrangler', ['login'], { show: true });
  if (status !== 0)
    throw new Error(
      'The sign-in to Cloudflare failed. If this machine has no browser, set CLOUDFLARE_API_TOKEN.',
    );
}
