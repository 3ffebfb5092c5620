/** How long a line may be. */
const width = 120;

const isText = (value: unknown) => value === null || typeof value !== 'object';

/** A value on one line. */
function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (isText(value)) return JSON.stringify(value);
  const members = Object.entries(Object(value)).map(
    ([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`,
  );
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}

/** Words one after another, in as few lines as hold them. */
function filled(words: string[], indent: string): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const longer = line === undefined ? `${indent}${word}` : `${line}, ${word}`;
    if (line === undefined || longer.length >= width) lines.push(`${indent}${word}`);
    else lines.splice(-1, 1, longer);
  }
  return lines.join(',\n');
}

/**
 * The text of a document: indented by a space for each level, where a value that fits on a line stands on one. So a
 * reference, a property or a list of words is a line to read, and a line in a comparison of two versions.
 * @param taken how much of the first line is written already
 */
export function print(value: unknown, indent = '', taken = indent.length): string {
  const line = onOneLine(value);
  if (isText(value) || taken + line.length < width) return line;
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    const members = value.every(isText)
      ? filled(value.map(onOneLine), inner)
      : value.map((member) => `${inner}${print(member, inner)}`).join(',\n');
    return `[\n${members}\n${indent}]`;
  }
  const members = Object.entries(Object(value)).map(([name, member]) => {
    const start = `${inner}${JSON.stringify(name)}: `;
    return `${start}${print(member, inner, start.length)}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}
