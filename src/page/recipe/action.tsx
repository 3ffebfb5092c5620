import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Call, randomID, together } from '../api.ts';
import { differences } from '../compare.ts';
import type { Entity } from '../types.ts';
import { Sheet } from '../ui/sheet.tsx';
import { say } from '../ui/toast.tsx';
import { nameOf } from '../words.ts';
import { useChange } from './check.ts';
import { Differences } from './differences.tsx';
import { Fields } from './fields.tsx';
import { type Action, type Kind, nameIn, pathOf, propertyOf, type Values } from './kind.ts';
import { Revealed } from './revealed.tsx';
import { AsRequest, CheckedLine, Refused, SendButtons } from './send.tsx';

/** The request of an action. */
export function requestOf(
  kind: Pick<Kind, 'path' | 'apiPath'>,
  entity: Entity,
  action: Action,
  values: Values,
): Call {
  const {
    name,
    method = name === 'delete' ? 'DELETE' : 'PUT',
    fields,
    values: fixed,
    makes,
  } = action;
  const part = name === '' || name === 'delete' ? '' : `/${name}`;
  const path = `${pathOf(kind, entity.id)}${part}`;
  const body = fields || fixed ? { ...fixed, ...values } : undefined;
  return { method, path, body, ...(!makes && { version: entity.version }) };
}

/** What is still to be said before the server can be asked. */
const missingOf = ({ fields = [] }: Action, values: Values) =>
  fields.find(({ property, isNeeded }) => isNeeded && !String(values[property] ?? '').trim());

const isEntity = (data: unknown): data is Values => typeof data === 'object' && data !== null;

interface ActionSheetProps<E extends Entity> {
  kind: Kind<E>;
  entity: E;
  action: Action;
  onClose: () => void;
}

/** What an action leads to, asked of the server, and the button that does it. */
export function ActionSheet<E extends Entity>({
  kind,
  entity,
  action,
  onClose,
}: ActionSheetProps<E>) {
  const [values, setValues] = useState<Values>(action.values ?? {});
  const [once] = useState(randomID);
  const [revealed, setRevealed] = useState('');
  const { route } = useLocation();
  const missing = missingOf(action, values);
  const request = together([requestOf(kind, entity, action, values)], once);
  const { checked, isStoring, store, again } = useChange(missing || revealed ? undefined : request);
  const title = `${action.label} ${nameIn(kind, entity)}?`;
  const run = async () => {
    const answer = await store();
    if (!answer) return;
    const data = isEntity(answer.data) ? answer.data : {};
    if (action.reveals) return setRevealed(String(data[action.reveals]));
    say(answer.message);
    onClose();
    if (action.goesTo) route(action.goesTo(data));
  };
  if (revealed) return <Revealed title={nameIn(kind, entity)} text={revealed} onClose={onClose} />;
  const errors = new Map(
    checked.is === 'refused'
      ? checked.problem.errors.map(({ property, errorMessage }) => [property, errorMessage])
      : [],
  );
  const after =
    checked.is === 'accepted' && isEntity(checked.answer.data) ? checked.answer.data : undefined;
  const leads = after && action.name !== 'delete' && !action.reveals && !action.goesTo;
  return (
    <Sheet
      title={title}
      onClose={onClose}
      onSubmit={run}
      footer={
        <>
          <CheckedLine
            checked={checked}
            waiting={
              missing ? `${missing.label ?? nameOf(missing.property)} is still to be said` : ''
            }
          />
          <SendButtons
            checked={checked}
            isStoring={isStoring}
            label={action.label}
            look={action.look ?? 'primary'}
            onClose={onClose}
            onStore={run}
            onAgain={again}
          />
        </>
      }
    >
      <p class="says">{action.says}</p>
      {action.fields && (
        <Fields
          specs={action.fields}
          values={values}
          errors={errors}
          takesFocus
          onChange={(property, value) => setValues((others) => ({ ...others, [property]: value }))}
        />
      )}
      {leads && <Differences list={leadsTo(entity, after)} />}
      <Refused checked={checked} />
      <AsRequest request={request} />
    </Sheet>
  );
}

/** What the server says will be different; an answer leaves out what the page knows more of. */
function leadsTo(entity: Entity, after: Values) {
  const before = Object.fromEntries(
    Object.keys(after).map((property) => [property, propertyOf(entity, property)]),
  );
  return differences(before, after).filter(({ text }) => !text.startsWith('Taken back'));
}
