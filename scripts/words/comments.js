/** Tags of a docstring whose text is no prose. */
const silent = new Set([
  'example',
  'see',
  'type',
  'typedef',
  'license',
  'author',
  'module',
  'template',
]);

/**
 * The description in a block comment, and each of its tags, without examples.
 * @param {string} whole the comment without its delimiters
 * @param {number} line the line on which it begins
 */
export function docUnits(whole, line) {
  const rows = whole
    .split('\n')
    .map((row, index) => ({ text: row.replace(/^\s*\*?\s?/, '').trim(), line: line + index }));
  /** @type {{ text: string, line: number }[]} */
  const units = [];
  let isSkipped = false;
  for (const row of rows) {
    const [, tag] = /^@(\w+)/.exec(row.text) ?? [];
    if (tag !== undefined) isSkipped = silent.has(tag);
    if (/^```/.test(row.text)) isSkipped = !isSkipped;
    if (isSkipped) continue;
    const text = row.text
      .replace(/^\*+/, '')
      .replace(/^@\w+(?: \{[^}]*\})?(?: \[?[\w.]+\]?)?/, '')
      .trim();
    const last = units.at(-1);
    if (tag !== undefined || row.text === '' || !last) units.push({ text, line: row.line });
    else last.text = `${last.text} ${text}`.trim();
  }
  return units.filter(({ text }) => text);
}

/**
 * The comments of a style sheet.
 * @param {string} source
 */
export const styleComments = (source) =>
  [...source.matchAll(/\/\*([\s\S]*?)\*\//g)].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    surface: /** @type {const} */ ('comment'),
    text: match[1] ?? '',
  }));

/**
 * The comments of a file in which a mark begins a comment; those on consecutive lines are one.
 * @param {string} source
 * @param {string} mark
 */
export function lineComments(source, mark) {
  /** @type {{ line: number, end: number, surface: 'comment', text: string }[]} */
  const units = [];
  source.split('\n').forEach((raw, index) => {
    const text = raw.trim();
    if (!text.startsWith(mark)) return;
    const last = units.at(-1);
    const own = text.slice(mark.length);
    if (last && last.end === index)
      Object.assign(last, { text: `${last.text} ${own}`, end: index + 1 });
    else units.push({ line: index + 1, end: index + 1, surface: 'comment', text: own.trim() });
  });
  return units;
}
