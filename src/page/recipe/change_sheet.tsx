import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Answer, Call } from '../api.ts';
import { openDialogs, useShortcut } from '../keyboard.ts';
import { useStay } from '../location.ts';
import { Field } from '../ui/field.tsx';
import { Note } from '../ui/note.tsx';
import { Refusal } from '../ui/problem.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { TextInput } from '../ui/text_input.tsx';
import type { useChange } from './check.ts';
import { AsRequest, CheckedLine, SendButtons, Warned } from './send.tsx';

interface ChangeSheetProps {
  title: string;
  request: Call | undefined;
  change: ReturnType<typeof useChange>;
  /** The word on the button that stores. */
  label: string;
  look?: 'primary' | 'danger';
  /** Whether it asks why, for the history. */
  asksWhy?: boolean;
  /** That note where it outlives the dialog, and what keeps it. */
  kept?: [note: string, keep: (note: string) => void];
  /** What is said while something is missing. */
  waiting?: string;
  /** Whether a refusal is said beside its fields already. */
  isSaidBeside?: boolean;
  /** Reasons against it, of which each needs to be known: a tick is asked for before it is stored. */
  doubts?: string[];
  onStored: (answer: Answer<unknown>) => void;
  onClose: () => void;
  children: ComponentChildren;
  /** Another way than to store it. */
  ending?: ComponentChildren;
}

/** The dialog that every change goes through: what it does, what the server says of it, and the request itself. */
export function ChangeSheet(props: ChangeSheetProps) {
  const { title, request, change, label } = props;
  const { checked, isStoring, store } = change;
  const own = useState('');
  const [note, setNote] = props.kept ?? own;
  const { doubts = [] } = props;
  const doubted = doubts.join('\n');
  const [agreed, setAgreed] = useState('');
  const isSure = agreed === doubted;
  const why = isSure ? undefined : `Confirm “${label} anyway” first`;
  const run = () => why === undefined && store(note.trim(), props.onStored);
  // What is typed meanwhile would go with the answer.
  const onClose = () => isStoring || props.onClose();
  // What its answer shows this once would go with it.
  useStay(isStoring, () => {});
  // Not below another one.
  useShortcut('Ctrl+Enter', () => openDialogs() === 1 && run());
  return (
    <Sheet
      title={title}
      onClose={onClose}
      isKept={props.kept !== undefined}
      onSubmit={run}
      footer={
        <>
          <CheckedLine {...change} waiting={props.waiting} why={why} />
          <SendButtons
            {...change}
            label={label}
            look={props.look}
            why={why}
            byKeys
            onClose={onClose}
          />
        </>
      }
    >
      {props.children}
      {!props.isSaidBeside && checked.problem && <Refusal problem={checked.problem} />}
      <Warned {...change} />
      {doubted && (
        <Note look="warn">
          {doubts.map((doubt) => (
            <p key={doubt}>{doubt}</p>
          ))}
          <label class="check">
            <input
              type="checkbox"
              checked={isSure}
              onChange={({ currentTarget }) => setAgreed(currentTarget.checked ? doubted : '')}
            />
            {`${label} anyway`}
          </label>
        </Note>
      )}
      {!isStoring && isSure && props.ending}
      {props.asksWhy && <Why note={note} onChange={setNote} />}
      {request && <AsRequest request={{ ...request, note: note.trim() }} />}
    </Sheet>
  );
}

interface WhyProps {
  note: string;
  onChange: (note: string) => void;
}

/** Why something is changed: the history keeps it. */
export const Why = ({ note, onChange }: WhyProps) => (
  <Field label="Note">
    {(attributes) => (
      <TextInput
        {...attributes}
        maxLength={500}
        placeholder="Why? (optional)"
        value={note}
        onText={onChange}
      />
    )}
  </Field>
);
