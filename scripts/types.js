// `npm run types`, and `prepare` after each `npm ci`: makes the types of the bindings, with which editors and `tsc` have
// all they need.
import { writeTypes } from './tool.js';

/** Without wrangler, as in an installation without the development dependencies, there are none. */
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
  // The installation itself is whole.
  process.exitCode = process.env.npm_lifecycle_event === 'prepare' ? 0 : 1;
}
