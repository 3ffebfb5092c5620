import { scopesOf } from '../../organization/keys/type_scopes.ts';
import type { Key } from '../base/types.ts';
import { ago } from '../base/words.ts';
import type { Action, FieldSpec, KindPage, Tab } from '../entity/kind.ts';
import { FieldsOf, name, settings } from '../experiment/settings.tsx';

const scopes: Record<Key['scopes'][number], string> = {
  read: 'Read',
  write: 'Write',
  admin: 'Admin',
  evaluate: 'Evaluate',
  specs: 'Download specs',
};

const types: Record<Key['type'], string> = {
  CONSOLE: 'Management',
  SERVER: 'Server',
  CLIENT: 'Client',
};

const firstScopes: Record<string, Key['scopes']> = {
  CONSOLE: ['read'],
  SERVER: scopesOf.SERVER.least,
  CLIENT: scopesOf.CLIENT.least,
};

const fields: FieldSpec[] = [
  name,
  { property: 'scopes', as: 'scopes', options: scopes },
  {
    property: 'environments',
    as: 'tokens',
    names: 'environments',
    placeholder: 'all environments',
    empty: null,
  },
  {
    property: 'targetAppID',
    label: 'Target app',
    names: 'target_apps',
    empty: null,
    placeholder: 'all apps',
  },
  { property: 'ownerEmail', label: "Owner's email", names: 'users', empty: null },
  { property: 'expiresTime', as: 'days' },
];

const reports: FieldSpec = {
  property: 'reports',
  label: 'Records',
  as: 'switches',
  options: {
    events: 'Events that applications send with this key',
    exposures: 'Exposures: those they report, and those of evaluations with this key',
  },
  hint: 'Everyone who has a client key can report events and exposures of any user. Switch off what this key does not need. Checks of flags always count.',
};

/** Applications report with their keys; a key of people and programs records nothing of users. */
const keySettings: Tab<Key> = {
  ...settings<Key>(fields, ''),
  View: ({ editing }) => (
    <FieldsOf
      editing={editing}
      specs={editing.stored.type === 'CONSOLE' ? fields : [...fields, reports]}
    />
  ),
};

const hasExpired = ({ expiresTime }: Key) => expiresTime !== null && expiresTime <= Date.now();

const deactivate: Action = {
  name: 'deactivate',
  method: 'PATCH',
  label: 'Deactivate',
  effect: "The key stops working everywhere within 30 seconds. This can't be undone.",
  look: 'danger',
};

const rotate: Action = {
  name: 'rotate',
  method: 'PATCH',
  label: 'Rotate',
  effect: 'Creates a new key. The old one stops working everywhere within 30 seconds.',
  reveals: 'key',
};

export const keys: KindPage<Key> = {
  path: 'keys',
  kind: 'key',
  group: 'Admin',
  one: 'API key',
  many: 'API keys',
  icon: 'key',
  about: 'A key gives a person or program access, limited to its scopes.',
  scope: 'admin',
  columns: [
    {
      title: 'Scopes',
      render: (key) => key.scopes.map((scope) => scopes[scope].toLowerCase()).join(', '),
    },
    {
      title: 'Expires',
      render: ({ expiresTime }) => (expiresTime === null ? 'never' : ago(expiresTime)),
      isExtra: true,
    },
  ],
  isUnnamed: true,
  status: (key) => {
    if (!key.isActive) return { tone: 'bad', word: 'Deactivated' };
    return hasExpired(key) ? { tone: 'bad', word: 'Expired' } : { tone: 'done', word: 'Active' };
  },
  facts: (key) => <span>{key.scopes.map((scope) => scopes[scope]).join(', ')}</span>,
  tabs: [keySettings],
  actions: (key) => (key.isActive ? [rotate, deactivate] : []),
  creation: {
    fields: [
      name,
      { property: 'type', label: 'Type', as: 'choice', options: types },
      ...fields.slice(1),
    ],
    values: { type: 'CONSOLE', scopes: firstScopes.CONSOLE, environments: null, expiresTime: null },
    follows: ({ type }) => (type === undefined ? {} : { scopes: firstScopes[String(type)] }),
    reveals: 'key',
  },
};
