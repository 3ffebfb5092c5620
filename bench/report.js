// The figures of a run as text.

/** @typedef {import('./measure.js').Figures} Figures */
/** @typedef {import('./startup.js').Size} Size */
/** @typedef {import('./startup.js').Startup} Startup */
/** @typedef {Awaited<ReturnType<typeof import('./evaluations.js').measureEvaluations>>} Evaluations */
/** @typedef {{ operations: Figures[], evaluations: Evaluations, size: Record<'console' | 'bare' | 'empty', Size>, startup: Startup }} Results */

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en');
const fixed = (/** @type {number} */ value) => value.toFixed(value < 100 ? 1 : 0);
const kilobytes = (/** @type {number} */ bytes) => `${whole(bytes / 1000)} kB`;

const heads = ['', 'gates', 'trips', 'read', 'written', 'calls/s', 'p50 ms', 'p99 ms'];
const ratios = ['× calls/s', '× p50', '× p99'];

/**
 * One row of the table.
 * @param {Figures} figures
 * @param {boolean} isFirst whether it is the first of its operation
 */
const cellsOf = ({ operation, size, trips, read, written, console, ratio }, isFirst) => [
  isFirst ? operation : '',
  ...[size, trips, read, written, console.perSecond].map(whole),
  ...[console.p50, console.p99].map(fixed),
  ...[ratio.perSecond, ratio.p50, ratio.p99].map((times) => times.toFixed(2)),
];

/**
 * Lines of columns that are as wide as they need be; the first is aligned to the left.
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
 * How many times as long an operation takes among the most gates as among the fewest, in the middle.
 * @param {Figures[]} figures
 * @param {string} operation
 */
function growth(figures, operation) {
  const own = figures.filter((row) => row.operation === operation);
  const [fewest, most] = [own[0], own.at(-1)];
  if (!fewest || !most || fewest === most) return [];
  const times = (most.console.p50 / fewest.console.p50).toFixed(2);
  return [
    `${operation}: among ${whole(most.size)} gates ${times} times as long as among ${whole(fewest.size)}`,
  ];
}

const evaluationHeads = ['', 'flags', 'trips', 'calls/s', 'p50 ms', 'p99 ms', ...ratios, 'CPU ms'];

/**
 * What applications ask, as a table, and how long an isolate takes that knows nothing.
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
    '× are the times of a Worker that answers the same bytes as a constant; CPU is what a call takes beyond it',
    ...coldStarts.map(
      ({ size, milliseconds }) =>
        `first answer of an isolate that knows nothing, among ${whole(size)} flags: ${fixed(milliseconds)} ms`,
    ),
    '',
  ];
}

/**
 * All figures as a table, and what else there is to say.
 * @param {Results} results
 */
export function textOf({ operations, evaluations, size, startup }) {
  const rows = operations.map((row, index) =>
    cellsOf(row, operations[index - 1]?.operation !== row.operation),
  );
  return [
    ...aligned([[...heads, ...ratios], ...rows]),
    '',
    'trips, rows and times are those of the console; × are its times those of the bare Worker',
    '',
    ...evaluationLines(evaluations),
    ...growth(operations, 'first page of 10'),
    ...growth(operations, 'first page of 100'),
    `size: ${kilobytes(size.console.minified)} minified, ${kilobytes(size.console.gzipped)} gzipped; an empty Hono Worker ${kilobytes(size.empty.minified)}, ${kilobytes(size.empty.gzipped)}`,
    `start-up: ${fixed(startup.console)} ms to the first answer of a new isolate, ${startup.ratio.toFixed(1)} times as long as an empty Hono Worker`,
  ].join('\n');
}
