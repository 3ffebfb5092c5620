// `npm run types`, and `prepare` after each `npm ci`: writes the types of the bindings for editors and `tsc`.
import { writeTypes } from './tool.js';

/** Fails without wrangler, for example in an installation without development dependencies. */
async function write() {
  try {
    return await writeTypes();
  } catch (error) {
    return { status: 1, output: String(error) };
  }
}

const { status, output } = await write();
if (status !== 0) {
  process.stderr.write(`${output}\nThe types of the bindings were not written.\n`);
  // A failure must not fail the installation.
  process.exitCode = process.env.npm_lifecycle_event === 'prepare' ? 0 : 1;
}
