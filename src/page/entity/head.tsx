import { useState } from 'preact/hooks';
import { whyNot } from '../base/session.ts';
import type { Entity } from '../base/types.ts';
import { About } from '../ui/about.tsx';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Menu } from '../ui/menu.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { Crumb } from './crumb.tsx';
import { ActionSheet } from './edit/action.tsx';
import { type Action, type KindPage, nameIn } from './kind.ts';

interface HeadProps<E extends Entity> {
  kind: KindPage<E>;
  entity: E;
  waits: string | undefined;
}

/** Displays an ID with a copy button. */
export const Identity = ({ id }: { id: string }) => (
  <span class="head-id">
    <code>{id}</code>
    <Copy text={id} label="Copy ID" />
  </span>
);

function Facts<E extends Entity>({ kind, entity }: { kind: KindPage<E>; entity: E }) {
  return (
    <div class="head-facts">
      {kind.facts?.(entity)}
      {entity.id !== kind.path && <Identity id={entity.id} />}
      {entity.version > 0 && (
        <span>
          changed <Time at={entity.lastModifiedTime} /> by {entity.lastModifierName}
        </span>
      )}
    </div>
  );
}

const deletionEffect = (kind: string) =>
  kind === 'experiments'
    ? 'Deletes it with its exposures and results. You can only restore its settings.'
    : 'Deletes it, unless something uses it. You can restore it from its history.';

const deletion = (kind: string): Action => ({
  name: 'delete',
  method: 'DELETE',
  label: 'Delete',
  effect: deletionEffect(kind),
  look: 'danger',
  inMenu: true,
  goesTo: () => `/${kind}`,
});

const actionsOf = <E extends Entity>(
  { path, isSingle, actions }: KindPage<E>,
  entity: E,
): Action[] => [
  ...(actions?.(entity) ?? []),
  ...(isSingle || entity.version === 0 ? [] : [deletion(path)]),
];

/** The head of an entity's page: name, facts and actions. */
export function Head<E extends Entity>({ kind, entity, waits }: HeadProps<E>) {
  const [open, setOpen] = useState<Action>();
  const actions = actionsOf(kind, entity);
  const why = waits ?? whyNot(kind.scope ?? 'write');
  const button = (action: Action, popovertarget?: string) => (
    <Button
      key={action.name}
      look={action.look === 'primary' ? 'primary' : 'plain'}
      why={why ?? action.why}
      popovertarget={popovertarget}
      popovertargetaction={popovertarget ? 'hide' : undefined}
      onClick={() => setOpen(action)}
    >
      {`${action.label} …`}
    </Button>
  );
  const status = kind.status?.(entity);
  const inMenu = actions.filter((action) => action.inMenu);
  return (
    <header>
      <Crumb kind={kind} ofOne={!kind.isSingle} />
      <div class="head-row">
        <div class="head-name">
          <h1 class="head-title">{nameIn(kind, entity)}</h1>
          {status && <Status {...status} />}
        </div>
        <div class="head-actions">
          {actions.filter((action) => !action.inMenu).map((action) => button(action))}
          {inMenu.length > 0 && (
            <Menu label="More">{(menu) => inMenu.map((action) => button(action, menu))}</Menu>
          )}
        </div>
      </div>
      <Facts kind={kind} entity={entity} />
      {entity.description && <About text={entity.description} />}
      {open && (
        <ActionSheet kind={kind} entity={entity} action={open} onClose={() => setOpen(undefined)} />
      )}
    </header>
  );
}
