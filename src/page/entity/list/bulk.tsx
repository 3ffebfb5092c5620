import { useState } from 'preact/hooks';
import { randomID, together } from '../../base/api.ts';
import { whyNot } from '../../base/session.ts';
import type { Entity } from '../../base/types.ts';
import { count, lower, titleOf } from '../../base/words.ts';
import { Button } from '../../ui/button.tsx';
import { requestOf } from '../edit/action.tsx';
import type { BulkAction, KindPage } from '../kind.ts';
import { ChangeSheet } from '../review/change_sheet.tsx';
import { useChange } from '../review/check.ts';
import { sayDone } from '../review/undo.ts';

interface BulkProps {
  kind: KindPage;
  rows: Entity[];
  onDone: () => void;
}

/** The bar of actions for selected rows. */
export function Bulk({ kind, rows, onDone }: BulkProps) {
  const [action, setAction] = useState<BulkAction>();
  return (
    <aside class="dock" aria-label="Selected rows">
      <p class="dock-words">
        <strong>{`${count(rows.length, kind.one, lower(kind.many))} selected`}</strong>
      </p>
      <Button look="link" onClick={onDone}>
        Clear
      </Button>
      {kind.bulk?.map((one) => (
        <Button key={one.name} why={whyNot(kind.scope ?? 'write')} onClick={() => setAction(one)}>
          {`${one.label} …`}
        </Button>
      ))}
      {action && (
        <BulkSheet
          kind={kind}
          rows={rows}
          action={action}
          onClose={() => setAction(undefined)}
          onDone={onDone}
        />
      )}
    </aside>
  );
}

interface BulkSheetProps extends BulkProps {
  action: BulkAction;
  onClose: () => void;
}

function BulkSheet({ kind, rows, action, onClose, onDone }: BulkSheetProps) {
  const [once] = useState(randomID);
  const calls = rows.map((entity) => requestOf(kind, entity, action, action.values ?? {}));
  const request = together(calls, once);
  const change = useChange(request);
  const { checked } = change;
  const many = count(rows.length, kind.one, lower(kind.many));
  const faulty = rows[checked.problem?.index ?? -1];
  return (
    <ChangeSheet
      title={`${action.label} ${many}?`}
      request={request}
      change={change}
      label={action.label}
      look={action.look}
      asksWhy
      onStored={() => {
        sayDone(`${many}: done.`, kind, rows, action);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p class="says">{rows.length > 1 ? action.effectOnMany : action.effect}</p>
      <ul class="plain-list">
        {rows.map((entity) => (
          <li key={entity.id}>
            {titleOf(entity)}
            {entity === faulty && <strong class="at-fault"> can't be changed</strong>}
          </li>
        ))}
      </ul>
    </ChangeSheet>
  );
}
