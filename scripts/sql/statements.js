// The statements of the Worker that are constants of a module or parts of one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, sep } from 'node:path';
import { build } from 'esbuild';

/** @typedef {{ sql: string, params: unknown[] }} Statement */

/** Functions with `unfilled` are statements; they may be in an object or array. */
const collectStatements = `
export const statements = new Map();
export function collect(name, value) {
  if (typeof value?.unfilled === 'function') statements.set(name, value.unfilled());
  else if (value?.constructor === Object || Array.isArray(value))
    for (const [key, part] of Object.entries(value)) collect(name + '.' + key, part);
}`;

/** Makes each module of the Worker collect the statements among its constants, exported or not. */
const collecting = {
  name: 'collecting',
  setup(/** @type {import('esbuild').PluginBuild} */ { onResolve, onLoad }) {
    onResolve({ filter: /^collected-statements$/ }, ({ path }) => ({
      path,
      namespace: 'collected',
    }));
    onLoad({ filter: /./, namespace: 'collected' }, () => ({ contents: collectStatements }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const module = relative('src', path).split(sep).slice(-2).join('/').replace(/\.ts$/, '');
      const names = [...source.matchAll(/^(?:export )?const (\w+)/gm)].map(([, name]) => name);
      const calls = names.map((name) => `collect('${module}.${name}', ${name});`);
      const head = "import { collect } from 'collected-statements';";
      return { contents: `${head}${source}\n${calls.join('\n')}`, loader: 'ts' };
    });
  },
};

/**
 * Bundles the Worker, and returns its statements by name. CommonJS, because an older Node lacks functions that the
 * Worker imports and does not call here.
 * @returns {Promise<Map<string, Statement>>}
 */
export async function readStatements() {
  const { outputFiles } = await build({
    stdin: {
      contents: "import './src/index.ts'; export { statements } from 'collected-statements';",
      resolveDir: '.',
    },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    logLevel: 'error',
    plugins: [collecting],
  });
  const module = { exports: { statements: new Map() } };
  const run = new Function('require', 'module', 'exports', outputFiles[0]?.text ?? '');
  run(createRequire(import.meta.url), module, module.exports);
  return module.exports.statements;
}

/**
 * Removes the indentation of the source, and empty lines.
 * @param {string} sql
 */
function unindented(sql) {
  const [first = '', ...others] = sql.split('\n').filter((line) => line.trim() !== '');
  const depth = Math.min(...others.map((line) => line.search(/\S/)));
  return [first.trim(), ...others.map((line) => line.slice(depth))].join('\n');
}

/** @param {unknown} param */
function literalOf(param) {
  if (param instanceof Object && 'name' in param) return `:${param.name}`;
  return typeof param === 'number' ? String(param) : `'${String(param).replaceAll("'", "''")}'`;
}

/**
 * Returns the SQL of a statement, with its placeholders as `:name`.
 * @param {Statement} statement
 */
export const textOf = ({ sql, params }) =>
  unindented(sql.replaceAll(/\?(\d+)/g, (_, number) => literalOf(params[number - 1])));
