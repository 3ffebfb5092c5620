import { isObject } from '../../base/value_types.ts';

const maxLineLength = 120;

const isScalar = (value: unknown) => value === null || typeof value !== 'object';

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`,
  );
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}

function filled(words: string[], indent: string): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const longer = line === undefined ? `${indent}${word}` : `${line}, ${word}`;
    if (line === undefined || longer.length >= maxLineLength) lines.push(`${indent}${word}`);
    else lines.splice(-1, 1, longer);
  }
  return lines.join(',\n');
}

/** Returns the text of a document. A value that fits on one line is on one line, which keeps diffs short. */
export function print(value: unknown, indent = '', taken = indent.length): string {
  const line = onOneLine(value);
  if (taken + line.length < maxLineLength) return line;
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    const members = value.every(isScalar)
      ? filled(value.map(onOneLine), inner)
      : value.map((member) => `${inner}${print(member, inner)}`).join(',\n');
    return `[\n${members}\n${indent}]`;
  }
  if (!isObject(value)) return line;
  const members = Object.entries(value).map(([name, member]) => {
    const start = `${inner}${JSON.stringify(name)}: `;
    return `${start}${print(member, inner, start.length)}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}
