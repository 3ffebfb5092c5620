import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { randomID } from '../api.ts';
import { Sheet } from '../ui/sheet.tsx';
import { say } from '../ui/toast.tsx';
import { useChange } from './check.ts';
import { Fields } from './fields.tsx';
import { apiOf, type Kind, pageOf, type Values } from './kind.ts';
import { Revealed } from './revealed.tsx';
import { AsRequest, CheckedLine, Refused, SendButtons } from './send.tsx';

const idOf = (data: unknown): string => String(Reflect.get(Object(data), 'id') ?? '');

/** A new entity: the id that its name makes is seen as it is typed, and one that is taken too. */
export function Create({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  const { fields = [], values: initial = {}, body, reveals } = kind.creation ?? {};
  const [values, setValues] = useState<Values>(initial);
  const [once] = useState(randomID);
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const { route } = useLocation();
  const missing = fields.find(
    ({ property, isNeeded }) => isNeeded && !String(values[property] ?? '').trim(),
  );
  const request = {
    method: 'POST' as const,
    path: apiOf(kind),
    body: body ? body(values) : values,
    once,
  };
  const { checked, isStoring, store, again } = useChange(missing || made ? undefined : request);
  const run = async () => {
    const answer = await store();
    if (!answer) return;
    const id = idOf(answer.data);
    if (reveals) return setMade({ id, secret: String(Reflect.get(Object(answer.data), reveals)) });
    say(answer.message);
    onClose();
    route(pageOf(kind, id));
  };
  if (made)
    return (
      <Revealed
        title={String(values.name)}
        text={made.secret}
        onClose={() => {
          onClose();
          route(pageOf(kind, made.id));
        }}
      />
    );
  const problem = checked.is === 'refused' ? checked.problem : undefined;
  const errors = new Map(
    problem?.errors.map(({ property, errorMessage }) => [property, errorMessage]) ?? [],
  );
  if (problem?.type.endsWith('/taken')) errors.set('name', 'Another one has this id.');
  const isBeside = [...errors.keys()].some((property) =>
    fields.some(
      (field) => property === field.property || property.startsWith(`${field.property}.`),
    ),
  );
  const hasName = fields.some(({ property }) => property === 'name');
  const id = checked.is === 'accepted' && !reveals ? idOf(checked.answer.data) : '';
  return (
    <Sheet
      title={`New ${kind.one}`}
      onClose={onClose}
      onSubmit={run}
      footer={
        <>
          <CheckedLine checked={checked} />
          <SendButtons
            checked={checked}
            isStoring={isStoring}
            label="Create"
            onClose={onClose}
            onStore={run}
            onAgain={again}
          />
        </>
      }
    >
      <Fields
        specs={fields}
        values={values}
        errors={errors}
        takesFocus
        onChange={(property, value) => setValues((others) => ({ ...others, [property]: value }))}
      />
      {hasName && !reveals && (
        <p class="quiet" role="status">
          {id ? (
            <>
              Its id, for good: <code>{id}</code>
            </>
          ) : (
            'The name makes its id.'
          )}
        </p>
      )}
      {!isBeside && <Refused checked={checked} />}
      <AsRequest request={request} />
    </Sheet>
  );
}
