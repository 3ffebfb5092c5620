import { afterEach } from 'vitest';
import { closeContexts } from './browser.ts';

// Beside all files of tests, as these share the browser and its module.
afterEach(({ task }) => closeContexts(task.result?.state === 'fail'));
