// `npm run deploy`: brings this project onto Cloudflare, from a fresh clone or again. Each step checks what is done already,
// so that after a failure the same command goes on.
import { hasToken, isCI, signIn } from './deploy/account.js';
import { placeholder, readConfig } from './deploy/config.js';
import { migrateDatabase, prepareDatabase } from './deploy/database.js';
import { missingSecrets, secretNames, setSecrets } from './deploy/secrets.js';
import { deployWorker, waitForHealth } from './deploy/worker.js';
import { readOptions } from './tool.js';

const usage = `npm run deploy takes: --
  --dry-run         prints what it would do, and sends nothing
  --url <address>   where the Worker answers, if wrangler does not name it, such as behind a route
  --wait <seconds>  how long to wait until it answers; 120 if absent`;

const say = (/** @type {string} */ text) => process.stdout.write(text);

function readArguments() {
  const text = /** @type {const} */ ({ type: 'string' });
  const flag = /** @type {const} */ ({ type: 'boolean' });
  const options = { 'dry-run': flag, url: text, wait: text };
  const { 'dry-run': dryRun, url, wait = '120' } = readOptions(usage, options);
  const isAddress = url === undefined || (/^https?:/i.test(url) && URL.canParse(url));
  if (isAddress && /^\d{1,4}$/.test(wait)) return { url, seconds: Number(wait), dryRun };
  process.stderr.write(`${usage}\n`);
  return process.exit(1);
}

/**
 * Describes what a deployment from this folder would do.
 * @param {string | undefined} url
 */
function plan(url) {
  const { worker, database, databaseId } = readConfig();
  const isNew = databaseId === placeholder;
  const generated = isCI() ? 'Require' : 'Generate, show once and set if missing';
  const steps = [
    hasToken()
      ? 'Use the Cloudflare token of the environment.'
      : 'Sign in to Cloudflare in the browser, unless wrangler is signed in.',
    isNew
      ? `Find or create the D1 database ${database}, and write its ID into wrangler.toml.`
      : `Use the D1 database ${databaseId}, which wrangler.toml names.`,
    'Apply the migrations that the database does not have yet.',
    `${generated} the secrets ${secretNames.join(' and ')} of the Worker ${worker}.`,
    `Deploy the Worker ${worker}.`,
    `Wait until /health of ${url ?? 'its address'} reports success.`,
  ];
  const lines = steps.map((step, index) => `  ${index + 1}. ${step}\n`);
  return `npm run deploy would:\n\n${lines.join('')}\nNothing was sent.\n`;
}

/**
 * Sets the secrets that are missing. A log of CI is no place to show them, so there they stay missing.
 * @param {string} worker
 */
async function prepareSecrets(worker) {
  const missing = await missingSecrets(worker);
  if (missing.length === 0) say('Secrets: all are set.\n');
  else if (isCI()) say(`Secrets: ${missing.join(' and ')} missing.\n`);
  else await setSecrets(worker, missing, say);
  return isCI() ? missing : [];
}

/**
 * Describes how to begin with what was deployed.
 * @param {string} address
 */
const nextStep = (address) => `
The console is at ${address}/ ; sign in there with ROOT_API_KEY. Or try the API:

  curl ${address}/console/v1/gates -H "SERVICE-API-KEY: <ROOT_API_KEY>"

`;

/**
 * Runs all steps of a deployment.
 * @param {string | undefined} url
 * @param {number} seconds
 * @throws Error from the step that fails
 */
async function deploy(url, seconds) {
  const { databaseId, worker } = readConfig();
  await signIn();
  say(`Database: ${await prepareDatabase()}.\n`);
  say(`Migrations: ${await migrateDatabase()}.\n`);
  const missing = await prepareSecrets(worker);
  const named = await deployWorker();
  const address = (url ?? named)?.replace(/\/+$/, '');
  if (missing.length > 0)
    throw new Error(
      `The Worker is deployed, but cannot work without ${missing.join(' and ')}: set each with \`npx wrangler secret put\`, or run \`npm run deploy\` on your machine.`,
    );
  if (address === undefined)
    return say('\nDeployed, but wrangler named no address: check it with --url <address>.\n');
  say(`\nWaiting for ${address}/health.\n`);
  await waitForHealth(address, seconds);
  say(nextStep(address));
  if (databaseId === placeholder) say('Commit wrangler.toml: it names your database now.\n');
}

const { url, seconds, dryRun } = readArguments();
try {
  if (dryRun) say(plan(url));
  else await deploy(url, seconds);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`\n${message}\n\nTo go on, run the same command again.\n`);
  process.exitCode = 1;
}
