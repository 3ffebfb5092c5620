import { useState } from 'preact/hooks';
import { isObject, recordOf } from '../../../base/value_types.ts';
import { type Answer, type Call, randomID, together } from '../../base/api.ts';
import type { Difference } from '../../base/compare_values.ts';
import { go } from '../../base/location.ts';
import type { Entity, Revision } from '../../base/types.ts';
import { ago } from '../../base/words.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text_input.tsx';
import { type Action, type EntityValues, type KindPage, nameIn, pathOf } from '../kind.ts';
import { identityOf } from '../load.ts';
import { ChangeSheet } from '../review/change_sheet.tsx';
import { errorsOf, useChange } from '../review/check.ts';
import { changesInWords, differences } from '../review/compare.ts';
import { Differences } from '../review/differences.tsx';
import { sayDone } from '../review/undo.ts';
import { Fields, missingField } from './fields.tsx';
import { Revealed } from './revealed.tsx';

/** Returns the request of an action. */
export function requestOf(
  kind: Pick<KindPage, 'path' | 'apiPath'>,
  entity: Entity,
  action: Action,
  values: EntityValues,
): Call {
  const { name, method = 'PUT', fields, values: fixed, makes } = action;
  const part = name === '' || name === 'delete' ? '' : `/${name}`;
  const path = `${pathOf(kind, entity.id)}${part}`;
  const body = fields || fixed ? values : undefined;
  return { method, path, body, ...(!makes && { version: entity.version }) };
}

interface ActionSheetProps<E extends Entity> {
  kind: KindPage<E>;
  entity: E;
  action: Action;
  onClose: () => void;
}

/** The dialog of an action, and then its secret if it returns one. */
export function ActionSheet<E extends Entity>(props: ActionSheetProps<E>) {
  const { kind, entity, action, onClose } = props;
  const [revealed, setRevealed] = useState('');
  const onStored = ({ data, message }: Answer<unknown>) => {
    const result = isObject(data) ? data : {};
    if (action.reveals) return setRevealed(String(result[action.reveals]));
    sayDone(message, kind, [entity], action);
    onClose();
    if (action.goesTo) go(action.goesTo(result));
  };
  if (!revealed) return <ActionForm {...props} onStored={onStored} />;
  return (
    <Revealed
      what={action.reveals ?? ''}
      title={nameIn(kind, entity)}
      text={revealed}
      onClose={onClose}
    />
  );
}

interface ActionFormProps<E extends Entity> extends ActionSheetProps<E> {
  onStored: (answer: Answer<unknown>) => void;
}

function ActionForm<E extends Entity>({
  kind,
  entity,
  action,
  onClose,
  onStored,
}: ActionFormProps<E>) {
  const { label, effect, fields = [], look, confirms } = action;
  const [values, setValues] = useState<EntityValues>(action.values ?? {});
  const [once] = useState(randomID);
  const [typed, setTyped] = useState('');
  const isConfirmed = confirms === undefined || typed === confirms;
  const missing = missingField(fields, values) ?? (isConfirmed ? undefined : `Type ${confirms}`);
  const request = together([requestOf(kind, entity, action, values)], once);
  const change = useChange(missing ? undefined : request);
  const { checked } = change;
  return (
    <ChangeSheet
      title={`${label}: ${kind.one} ${nameIn(kind, entity)}`}
      request={request}
      change={change}
      label={label}
      look={look}
      asksWhy={fields.length === 0}
      waiting={missing}
      doubts={action.doubts}
      onStored={onStored}
      onClose={onClose}
    >
      <p class="says">{effect}</p>
      {fields.length > 0 && (
        <Fields
          specs={fields}
          value={values}
          errors={errorsOf(checked)}
          set={(edits) => setValues((others) => ({ ...others, ...edits }))}
        />
      )}
      {confirms !== undefined && (
        <Field label={`Type ${confirms} to confirm`}>
          {(attributes) => <TextInput {...attributes} value={typed} onText={setTyped} />}
        </Field>
      )}
      {checked.is === 'accepted' && (
        <Differences list={effectsOf(entity, action, checked.answer.data)} />
      )}
    </ChangeSheet>
  );
}

interface Reverted {
  changes?: Parameters<typeof changesInWords>[0];
  edits?: Revision[];
}

const isReverted = (value: unknown): value is Reverted => isObject(value);

function effectsOf(entity: Entity, { name, reveals }: Action, result: unknown): Difference[] {
  if (name === 'delete' || reveals || !isObject(result) || identityOf(result) !== entity.id)
    return [];
  const { takenBack, ...after } = result;
  const { changes = [], edits = [] } = isReverted(takenBack) ? takenBack : {};
  // The response lacks the properties that the page loads separately.
  const before = Object.fromEntries(
    Object.keys(after).map((property) => [property, recordOf(entity)[property]]),
  );
  return [
    ...differences(before, after),
    ...changesInWords(changes),
    ...edits.map(({ actorName, time }) => ({
      sign: '-' as const,
      text: `Edit by ${actorName} ${ago(time)}`,
    })),
  ];
}
