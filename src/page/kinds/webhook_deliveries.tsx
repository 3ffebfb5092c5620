import { useState } from 'preact/hooks';
import type { Delivery } from '../../project/webhooks/schema.ts';
import { actionInWords, addressOf, kindInWords } from '../base/history_words.ts';
import { whyNot } from '../base/session.ts';
import type { Webhook } from '../base/types.ts';
import { usePage } from '../base/use.ts';
import { ago, count } from '../base/words.ts';
import { ActionSheet } from '../entity/edit/action.tsx';
import { type Action, type KindPage, pathOf } from '../entity/kind.ts';
import { Pages } from '../entity/pages.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { lookOf, Status, type Tones } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { ReadStatus } from '../ui/unread.tsx';

const tones: Tones<Delivery['status']> = {
  pending: 'waiting',
  delivered: 'done',
  failed: 'bad',
};

const resend = ({ id }: Delivery): Action => ({
  name: `deliveries/${encodeURIComponent(id)}/resend`,
  label: 'Resend',
  effect: 'Sends the change again within a minute.',
  makes: true,
});

const triesOf = ({ attempts, nextTime, lastError }: Delivery) =>
  [
    attempts === 0 ? 'not tried yet' : `tried ${attempts === 1 ? 'once' : count(attempts, 'time')}`,
    nextTime === null ? '' : `next ${ago(nextTime)}`,
    lastError ?? '',
  ]
    .filter(Boolean)
    .join(' · ');

const DeliveryRow = ({ delivery, onAgain }: { delivery: Delivery; onAgain: () => void }) => {
  const { kind, entityID, action, version, status, createdTime } = delivery;
  return (
    <li class="item item-between">
      <span>
        <Status {...lookOf(tones, status)} /> {actionInWords(action)} {kindInWords(kind)}{' '}
        <a href={addressOf(kind, entityID)}>{entityID}</a>
        <span class="quiet">{`, version ${version}, `}</span>
        <Time at={createdTime} />
        <span class="item-note">{triesOf(delivery)}</span>
      </span>
      <Button look="link" icon="redo" why={whyNot('admin')} onClick={onAgain}>
        Resend …
      </Button>
    </li>
  );
};

/** Lists the deliveries of a webhook, newest first. */
export function Deliveries({ kind, webhook }: { kind: KindPage<Webhook>; webhook: Webhook }) {
  const [page, setPage] = useState(1);
  const [again, setAgain] = useState<Action>();
  const path = `${pathOf(kind, webhook.id)}/deliveries?limit=20&page=${page}`;
  const read = usePage<Delivery>(path);
  const { value } = read;
  if (!value) return <ReadStatus {...read} />;
  return (
    <section class="section" aria-busy={read.isOld}>
      <ReadStatus {...read} />
      {value.data.length === 0 && <Empty title="No deliveries yet." />}
      <ul class="items">
        {value.data.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            onAgain={() => setAgain(resend(delivery))}
          />
        ))}
      </ul>
      <Pages pagination={value.pagination} page={page} onPage={setPage} />
      {again && (
        <ActionSheet
          kind={kind}
          entity={webhook}
          action={again}
          onClose={() => setAgain(undefined)}
        />
      )}
    </section>
  );
}
