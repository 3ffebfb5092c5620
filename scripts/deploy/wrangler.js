// Wrangler as a program, without questions: its standard input is no terminal.
import { runTool } from '../tool.js';

/**
 * Runs wrangler and returns its standard output.
 * @param {string[]} args
 * @param {string} [input]
 * @throws Error with all of its output if it fails
 */
export async function wrangler(args, input) {
  const { status, output, stdout } = await runTool('wrangler', args, { input });
  if (status === 0) return stdout;
  throw new Error(`${output.trim()}\n\n\`wrangler ${args.join(' ')}\` failed.`);
}
