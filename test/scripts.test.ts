import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeTypes } from '../scripts/tool.js';

const folder = mkdtempSync(join(tmpdir(), 'scripts-'));

/** A new folder. */
const anew = () => mkdtempSync(join(folder, 'test-'));

afterAll(() => rmSync(folder, { recursive: true }));

describe('the types of the bindings', () => {
  test('are written by each installation', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(scripts.prepare).toBe('node scripts/types.js');
  });

  test('do not depend on .dev.vars', () => {
    const own = anew();
    for (const file of ['wrangler.toml', 'worker-configuration.d.ts'])
      cpSync(file, join(own, file));
    mkdirSync(join(own, 'src'));
    writeFileSync(join(own, 'src/index.ts'), 'export default {};\n');
    writeFileSync(join(own, '.dev.vars'), 'ONLY_HERE=1\n');
    const { status, output } = writeTypes(own);
    expect(status, output).toBe(0);
    const types = readFileSync(join(own, 'worker-configuration.d.ts'), 'utf8');
    expect(types).toContain('DB: D1Database;');
    expect(types).not.toContain('ONLY_HERE');
  });

  test.each([
    ['prepare', 0],
    ['types', 1],
  ])('that cannot be written make %s end with %i', async (event, status) => {
    const child = spawn(process.execPath, [resolve('scripts/types.js')], {
      cwd: anew(),
      env: { ...process.env, npm_lifecycle_event: event },
    });
    expect(await new Promise((ended) => child.on('exit', ended))).toBe(status);
  });
});
