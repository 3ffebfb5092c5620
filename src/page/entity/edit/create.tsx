import { useState } from 'preact/hooks';
import { recordOf } from '../../../base/value_types.ts';
import { type Answer, randomID } from '../../base/api.ts';
import { pageOf } from '../../base/history_words.ts';
import { go } from '../../base/location.ts';
import { say } from '../../ui/toast.tsx';
import { apiOf, type EntityValues, type FieldSpec, type KindPage, type Preview } from '../kind.ts';
import { identityOf } from '../load.ts';
import { ChangeSheet } from '../review/change_sheet.tsx';
import { type Checked, errorsOf, useChange } from '../review/check.ts';
import { Fields, missingField } from './fields.tsx';
import { Revealed } from './revealed.tsx';

interface CreateProps {
  kind: KindPage;
  values?: EntityValues;
  onSecret?: (secret: string) => void;
  onClose: () => void;
}

/** The dialog that creates an entity, and then its secret if it has one. */
export function Create(props: CreateProps) {
  const { kind, onSecret, onClose } = props;
  const [made, setMade] = useState<{ id: string; name: string; secret: string }>();
  const reveals = kind.creation?.reveals;
  const leaveFor = (id: string) => {
    onClose();
    go(pageOf(kind, id));
  };
  const onMade = ({ data, message }: Answer<unknown>) => {
    const id = identityOf(data);
    if (reveals) {
      const { name, [reveals]: secret } = recordOf(data);
      if (onSecret) {
        onSecret(String(secret));
        return onClose();
      }
      return setMade({ id, name: String(name), secret: String(secret) });
    }
    say(message);
    leaveFor(id);
  };
  if (!made) return <Form {...props} onMade={onMade} />;
  return (
    <Revealed
      what={reveals ?? ''}
      title={made.name}
      text={made.secret}
      onClose={() => leaveFor(made.id)}
    />
  );
}

function errorsOfNew(checked: Checked): Map<string, string> {
  const errors = errorsOf(checked);
  if (checked.problem?.type.endsWith('/taken')) errors.set('name', 'This ID is in use.');
  return errors;
}

const haveField = (fields: FieldSpec[], errors: Map<string, string>) =>
  [...errors.keys()].some((place) =>
    fields.some(({ property }) => place === property || place.startsWith(`${property}.`)),
  );

const noPreview = (_: EntityValues): Preview => ({});

function useNew(kind: KindPage, template: EntityValues | undefined) {
  const { fields = [], values: initial = {}, body, usePreview = noPreview } = kind.creation ?? {};
  const [values, setValues] = useState<EntityValues>({ ...initial, ...template });
  const [once] = useState(randomID);
  const request = {
    method: 'POST' as const,
    path: apiOf(kind),
    body: body ? body(values) : values,
    once,
  };
  const ahead = usePreview(values);
  const missing = missingField(fields, values) ?? ahead.waits;
  return {
    values,
    setValues,
    request,
    missing,
    ahead,
    change: useChange(missing ? undefined : request),
  };
}

function Form({
  kind,
  values: template,
  onClose,
  onMade,
}: CreateProps & { onMade: (answer: Answer<unknown>) => void }) {
  const { fields = [], reveals, follows } = kind.creation ?? {};
  const { values, setValues, request, missing, ahead, change } = useNew(kind, template);
  const { checked } = change;
  const errors = errorsOfNew(checked);
  const showsID = !reveals && fields[0]?.property === 'name';
  return (
    <ChangeSheet
      title={`New ${kind.one}`}
      request={request}
      change={change}
      label="Create"
      waiting={missing}
      doubts={ahead.doubts}
      hasOwnErrors={haveField(fields, errors)}
      onStored={onMade}
      onClose={onClose}
    >
      <Fields
        specs={fields}
        value={values}
        errors={errors}
        set={(edits) => setValues((others) => ({ ...others, ...edits, ...follows?.(edits) }))}
      />
      {ahead.shown}
      {showsID && (
        <EntityID
          isFixed={!kind.isUnnamed}
          id={checked.is === 'accepted' ? identityOf(checked.answer.data) : ''}
        />
      )}
    </ChangeSheet>
  );
}

const isRandomID = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);

const EntityID = ({ id, isFixed }: { id: string; isFixed: boolean }) => (
  <p class="quiet" role="status">
    {isRandomID(id) && 'The ID is random.'}
    {!id && 'The ID is generated from the name.'}
    {id && !isRandomID(id) && (
      <>
        ID: <code>{id}</code>
        {isFixed && " (can't be changed)"}
      </>
    )}
  </p>
);
