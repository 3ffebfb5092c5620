import { actionNames, kindInWords, kindNames } from '../base/history_words.ts';
import type { Webhook } from '../base/types.ts';
import { count } from '../base/words.ts';
import type { FieldSpec, KindPage } from '../entity/kind.ts';
import { name, settings } from '../experiment/settings.tsx';
import { onOrOff } from '../ui/status.tsx';
import { Deliveries } from './webhook_deliveries.tsx';

const fields: FieldSpec[] = [
  name,
  { property: 'url', isNeeded: true, hint: 'Changes are sent here. Must be https.' },
  {
    property: 'kinds',
    as: 'tokens',
    get options() {
      return kindNames();
    },
    placeholder: 'all kinds',
    hint: 'What to notify about, e.g. gate',
  },
  {
    property: 'actions',
    as: 'tokens',
    options: actionNames,
    placeholder: 'all actions',
    hint: 'What to notify about, e.g. launch',
  },
];

const active: FieldSpec = { property: 'isActive', as: 'toggle' };

const secret: FieldSpec = {
  property: 'secret',
  label: 'New secret',
  isNeeded: true,
  placeholder: 'whsec_…',
  hint: 'Signs deliveries: whsec_ and 24 to 64 bytes as base64.',
};

const eventsOf = ({ kinds, actions }: Webhook) => {
  const what = kinds.length > 0 ? kinds.map(kindInWords).join(', ') : 'all';
  return actions.length > 0 ? `${what}, ${count(actions.length, 'action')}` : what;
};

export const webhooks: KindPage<Webhook> = {
  path: 'webhooks',
  kind: 'webhook',
  group: 'Admin',
  one: 'webhook',
  many: 'Webhooks',
  icon: 'send',
  about: 'A webhook sends each change to a URL, signed.',
  scope: 'admin',
  isUnnamed: true,
  columns: [
    { title: 'URL', render: ({ url }) => <code class="clipped">{url}</code> },
    { title: 'Events', render: eventsOf, isExtra: true },
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
      label: 'Change secret',
      effect: 'New deliveries are signed with the new secret.',
      inMenu: true,
      fields: [secret],
    },
  ],
  creation: { fields, values: { kinds: [], actions: [] }, reveals: 'secret' },
};
