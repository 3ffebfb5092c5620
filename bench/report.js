// Formats the results of a run as text.

/** @typedef {import('./measure.js').Figures} Figures */
/** @typedef {import('./check.js').Check} Check */
/** @typedef {import('./startup.js').Size} Size */
/** @typedef {import('./startup.js').Startup} Startup */
/** @typedef {Awaited<ReturnType<typeof import('./evaluations.js').measureEvaluations>>} Evaluations */
/** @typedef {{ operations: Figures[], evaluations: Evaluations, check: Check, size: Record<'console' | 'bare' | 'empty', Size>, startup: Startup }} Results */

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en');
const fixed = (/** @type {number} */ value) => value.toFixed(value < 100 ? 1 : 0);
const kilobytes = (/** @type {number} */ bytes) => `${whole(bytes / 1000)} kB`;

const heads = ['', 'gates', 'trips', 'read', 'written', 'calls/s', 'p50 ms', 'p99 ms'];
const ratios = ['× calls/s', '× p50', '× p99'];

/**
 * Returns a row of the table.
 * @param {Figures} figures
 * @param {boolean} isFirst whether it is the first row of its operation
 */
const cellsOf = ({ operation, size, trips, read, written, console, ratio }, isFirst) => [
  isFirst ? operation : '',
  ...[size, trips, read, written, console.perSecond].map(whole),
  ...[console.p50, console.p99].map(fixed),
  ...[ratio.perSecond, ratio.p50, ratio.p99].map((times) => times.toFixed(2)),
];

/**
 * Returns lines with aligned columns; the first is left-aligned, the others right-aligned.
 * @param {string[][]} rows
 */
function aligned(rows) {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (/** @type {string} */ cell, /** @type {number} */ column) =>
    column === 0 ? cell.padEnd(widths?.[0] ?? 0) : cell.padStart(widths?.[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}

/**
 * Compares the median time of an operation with the most and the fewest gates.
 * @param {Figures[]} figures
 * @param {string} operation
 */
function growth(figures, operation) {
  const own = figures.filter((row) => row.operation === operation);
  const [fewest, most] = [own[0], own.at(-1)];
  if (!fewest || !most || fewest === most) return [];
  const times = (most.console.p50 / fewest.console.p50).toFixed(2);
  return [
    `${operation}: ${times} times as long with ${whole(most.size)} gates as with ${whole(fewest.size)}`,
  ];
}

const evaluationHeads = ['', 'flags', 'trips', 'calls/s', 'p50 ms', 'p99 ms', ...ratios, 'CPU ms'];

/**
 * Returns the table of application endpoints, and the times of cold starts.
 * @param {Evaluations} evaluations
 */
function evaluationLines({ figures, coldStarts }) {
  if (figures.length === 0) return [];
  const rows = figures.map(({ operation, size, trips, console, ratio, cpu }) => [
    operation,
    ...[size, trips, console.perSecond].map(whole),
    ...[console.p50, console.p99].map(fixed),
    ...[ratio.perSecond, ratio.p50, ratio.p99, cpu].map((value) => value.toFixed(2)),
  ]);
  return [
    ...aligned([evaluationHeads, ...rows]),
    '',
    '×: compared with a Worker that returns the same bytes as a constant; CPU: per call, minus that Worker',
    ...coldStarts.map(
      ({ size, milliseconds, cpu }) =>
        `first response of a new isolate with ${whole(size)} flags: ${fixed(milliseconds)} ms, ${whole(cpu)} ms of CPU`,
    ),
    '',
  ];
}

/**
 * Returns the text of all results.
 * @param {Results} results
 */
export function textOf({ operations, evaluations, check, size, startup }) {
  const rows = operations.map((row, index) =>
    cellsOf(row, operations[index - 1]?.operation !== row.operation),
  );
  return [
    ...aligned([[...heads, ...ratios], ...rows]),
    '',
    'trips, rows and times of the console; ×: compared with the bare Worker',
    '',
    ...evaluationLines(evaluations),
    ...growth(operations, 'first page of 10'),
    ...growth(operations, 'first page of 100'),
    `one check in process: ${check.microseconds.toFixed(2)} µs of CPU, ${whole(check.bytes)} bytes allocated`,
    `size: ${kilobytes(size.console.minified)} minified, ${kilobytes(size.console.gzipped)} gzipped; an empty Hono Worker ${kilobytes(size.empty.minified)}, ${kilobytes(size.empty.gzipped)}`,
    `start-up: ${fixed(startup.console)} ms to the first response of a new isolate, ${startup.ratio.toFixed(1)} times as long as an empty Hono Worker`,
  ].join('\n');
}
