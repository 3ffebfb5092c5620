import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Answer, Call } from '../../base/api.ts';
import { openDialogs, useShortcut } from '../../base/keyboard.ts';
import { useStay } from '../../base/location.ts';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { TextInput } from '../../ui/text_input.tsx';
import type { useChange } from './check.ts';
import { AsRequest, CheckedLine, SendButtons, Warned } from './send.tsx';

interface ChangeSheetProps {
  title: string;
  request: Call | undefined;
  change: ReturnType<typeof useChange>;
  label: string;
  look?: 'primary' | 'danger';
  asksWhy?: boolean;
  kept?: [note: string, keep: (note: string) => void];
  waiting?: string;
  hasOwnErrors?: boolean;
  doubts?: string[];
  onStored: (answer: Answer<unknown>) => void;
  onClose: () => void;
  children: ComponentChildren;
  ending?: ComponentChildren;
}

/** The dialog of every change: its effect, the result of the dry run, and the request. */
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
  const onClose = () => isStoring || props.onClose();
  // The response may contain a secret that is only displayed here.
  useStay(isStoring, () => {});
  // Not if another dialog is on top.
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
      {!props.hasOwnErrors && checked.problem && <ProblemNote problem={checked.problem} />}
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

/** The input for the note of a revision. */
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
