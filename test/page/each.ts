import { afterEach } from 'vitest';
import { closeContexts } from './browser.ts';

// All test files share this module and its browser.
afterEach(({ task }) => closeContexts(task.result?.state === 'fail'));
