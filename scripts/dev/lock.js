// One server at a time on a data folder: a second one would write the same database files.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether another process runs under a pid.
 * @param {number} pid
 */
export function isRunning(pid) {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Creates the lock file, unless it exists.
 * @param {string} file
 */
function create(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Locks a data folder until this process ends. The lock of a process that was killed is taken over.
 * @param {string} folder
 * @throws Error naming the process that serves the folder
 */
export function lockFolder(folder) {
  const file = join(folder, 'server.pid');
  mkdirSync(folder, { recursive: true });
  if (!create(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid > 0 && isRunning(pid))
      throw new Error(
        `The process ${pid} serves ${folder} already: stop it, or keep other data with: npm run dev -- --persist-to <folder>. If that process is no such server, delete ${file}.`,
      );
    writeFileSync(file, `${process.pid}\n`);
  }
  process.on('exit', () => rmSync(file, { force: true }));
}
