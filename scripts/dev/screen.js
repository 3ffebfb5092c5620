// Keeps in sight what is served and what to try.

/**
 * Keeps off the screen what wrangler says until it has started, and the calls of each minute at all times.
 * Errors go by another way, and always show.
 */
export function holdScreen() {
  const write = process.stdout.write.bind(process.stdout);
  let isOpen = false;
  /** @param {Parameters<typeof write>} parts */
  const pass = (...parts) => {
    const isNews = isOpen && !String(parts[0]).includes(' /__scheduled ');
    return isNews ? write(...parts) : true;
  };
  Object.assign(process.stdout, { write: pass });
  return {
    /** @param {string} text */
    say: (text) => write(text),
    open() {
      isOpen = true;
    },
  };
}

/**
 * Keeps off the screen what is said of errors while something is done; what that fails with is thrown as ever.
 * @param {() => Promise<unknown>} work
 */
export async function withoutErrors(work) {
  const { write } = process.stderr;
  Object.assign(process.stderr, { write: () => true });
  await work().finally(() => Object.assign(process.stderr, { write }));
}
