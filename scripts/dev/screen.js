/**
 * Hides the output of wrangler until `open`, and lines about scheduled runs and their jobs always. Errors use stderr and
 * stay visible.
 */
export function holdScreen() {
  const write = process.stdout.write.bind(process.stdout);
  let isOpen = false;
  /** @param {Parameters<typeof write>} parts */
  const filter = (...parts) => {
    const isVisible = isOpen && !/ \/__scheduled |^\{"job":/.test(String(parts[0]));
    return isVisible ? write(...parts) : true;
  };
  Object.assign(process.stdout, { write: filter });
  return {
    /** @param {string} text */
    write: (text) => write(text),
    open() {
      isOpen = true;
    },
  };
}

/**
 * Hides stderr during some work. A failure of the work is still thrown.
 * @param {() => Promise<unknown>} work
 */
export async function withoutErrors(work) {
  const { write } = process.stderr;
  Object.assign(process.stderr, { write: () => true });
  await work().finally(() => Object.assign(process.stderr, { write }));
}
