// Prints the measures of the code and documents with their bounds; fails if one is worse than its bound.
import { measures } from './house/measures.js';

/** @param {number} value */
const printed = (value) => String(Number(value.toFixed(1)));

export const results = () => measures.map((measure) => ({ ...measure, value: measure.count() }));

function main() {
  for (const { name, value, bound } of results()) {
    const mark = value > bound ? 'worse' : '';
    process.stdout.write(`${printed(value).padStart(6)}  ${name} (at most ${bound}) ${mark}\n`);
    if (value > bound) process.exitCode = 1;
  }
}

if (import.meta.filename === process.argv[1]) main();
