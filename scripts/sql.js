// `npm run sql -- <name>`: prints a statement as it is sent to D1, with its placeholders as `:name`, for the console of
// D1. Without a name it lists the names.
import { readStatements, textOf } from './sql/statements.js';

const [, , wanted] = process.argv;
const statements = [...(await readStatements())].toSorted(([one], [other]) =>
  one < other ? -1 : 1,
);
const found = statements.filter(([name]) => wanted === name || name.endsWith(`.${wanted}`));
if (wanted === undefined) for (const [name] of statements) process.stdout.write(`${name}\n`);
else if (found.length > 0)
  for (const [name, statement] of found)
    process.stdout.write(`-- ${name}\n${textOf(statement)};\n`);
else {
  process.stderr.write(`There is no statement ${wanted}. \`npm run sql\` lists the names.\n`);
  process.exitCode = 1;
}
