import { actionNames, kindNames } from '../history_words.ts';
import type { FieldSpec, Kind } from '../recipe/kind.ts';
import type { Webhook } from '../types.ts';
import { onOrOff } from '../ui/status.tsx';
import { count } from '../words.ts';
import { name, settings } from './settings.tsx';
import { Deliveries } from './webhook_deliveries.tsx';

const fields: FieldSpec[] = [
  name,
  { property: 'url', isNeeded: true, hint: 'Where changes are sent, by https alone.' },
  {
    property: 'kinds',
    as: 'tokens',
    options: kindNames,
    placeholder: 'all kinds',
    hint: 'Which it is told of, such as gate.',
  },
  {
    property: 'actions',
    as: 'tokens',
    options: actionNames,
    placeholder: 'all actions',
    hint: 'Which it is told of, such as launch.',
  },
];

const active: FieldSpec = { property: 'isActive', as: 'toggle' };

const secret: FieldSpec = {
  property: 'secret',
  label: 'New secret',
  isNeeded: true,
  placeholder: 'whsec_…',
  hint: 'What deliveries are signed with: whsec_ and the base64 of 24 to 64 bytes.',
};

/** What it is told of, in a line. */
const toldOf = ({ kinds, actions }: Webhook) => {
  const what = kinds.length > 0 ? kinds.map((kind) => kindNames[kind] ?? kind).join(', ') : 'all';
  return actions.length > 0 ? `${what}, ${count(actions.length, 'action')}` : what;
};

export const webhooks: Kind<Webhook> = {
  path: 'webhooks',
  one: 'webhook',
  many: 'Webhooks',
  icon: 'send',
  about: 'A webhook is told of changes: each is sent to its address, and signed.',
  scope: 'admin',
  isUnnamed: true,
  columns: [
    { title: 'Address', render: ({ url }) => <code class="clipped">{url}</code> },
    { title: 'Told of', render: toldOf, isExtra: true },
  ],
  status: ({ isActive }) => onOrOff(isActive),
  facts: ({ url }) => <span class="head-id">{url}</span>,
  tabs: [
    {
      path: '',
      title: 'Deliveries',
      View: ({ editing: { stored } }) => <Deliveries kind={webhooks} webhook={stored} />,
    },
    settings([...fields, active]),
  ],
  actions: () => [
    {
      name: '',
      method: 'PATCH',
      label: 'Change the secret',
      says: 'What is sent from now on is signed with the new one.',
      inMenu: true,
      fields: [secret],
    },
  ],
  creation: { fields, values: { kinds: [], actions: [] }, reveals: 'secret' },
};
