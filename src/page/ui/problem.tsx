import { addressOf, kindInWords } from '../base/history_words.ts';
import { isPassing, type Problem } from '../base/problems.ts';
import { placeOfProperty } from '../base/words.ts';
import { Button } from './button.tsx';
import { Note } from './note.tsx';

interface ProblemNoteProps {
  problem: Problem;
  onAgain?: () => void;
}

const problemLook = (problem: Problem) => {
  if (problem.status === 403) return 'info';
  return isPassing(problem) ? 'warn' : 'bad';
};

const headOf = ({ type, title }: Problem) =>
  type ? (
    <a href={type} target="_blank" rel="noreferrer">
      {title}
    </a>
  ) : (
    title
  );

const onceEach = (references: Problem['references']) => [
  ...new Map(references.map((one) => [`${one.kind} ${one.id}`, one])),
];

/** Displays an error, with links to the entities that block the change. */
export const ProblemNote = ({ problem, onAgain }: ProblemNoteProps) => (
  <Note look={problemLook(problem)} live>
    <strong>{headOf(problem)}</strong>
    {problem.errors.length > 0 ? (
      <ul class="plain-list">
        {problem.errors.map(({ property, errorMessage }) => (
          <li key={property}>{`${placeOfProperty(property)} ${errorMessage}`}</li>
        ))}
      </ul>
    ) : (
      <p>
        {problem.references.length > 0
          ? 'Change these first:'
          : problem.message.replace(/^changes\.\d+/, placeOfProperty)}
      </p>
    )}
    {problem.references.length > 0 && (
      <ul class="plain-list">
        {onceEach(problem.references).map(([key, { kind, id }]) => (
          <li key={key}>
            {kindInWords(kind)} <a href={addressOf(kind, id)}>{id}</a>
          </li>
        ))}
      </ul>
    )}
    {onAgain && problem.status !== 403 && (
      <p class="note-again">
        <Button onClick={onAgain}>Try again</Button>
      </p>
    )}
  </Note>
);
