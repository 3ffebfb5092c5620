import type * as z from 'zod';
import type { eventResponse } from '../../data/events/schema.ts';
import { useTitle } from '../base/title.ts';
import { Ignored, useFitting } from '../entity/list/ignored.tsx';
import { useQuery } from '../entity/list/query.ts';
import { Pages } from '../entity/pages.tsx';
import { Empty } from '../ui/empty.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { Time } from '../ui/time.tsx';
import { ReadStatus } from '../ui/unread.tsx';

type Recorded = z.infer<typeof eventResponse>;

const eventsPath = ({ page = '1' }: Record<string, string>) =>
  `/events?limit=50&page=${encodeURIComponent(page)}`;

/** Events as they were recorded, newest first. */
export function Events() {
  useTitle('Events');
  const { query, toPage } = useQuery();
  const read = useFitting<Recorded>(query, eventsPath);
  const { value, isOld } = read;
  const { page = '1' } = read.fit;
  return (
    <>
      <PageHead title="Events" total={value?.pagination.totalItems} />
      <Ignored ignored={read.ignored} />
      <ReadStatus {...read} lines={10} />
      {value?.data.length === 0 && (
        <Empty title="No events yet.">
          <p>Applications send events to POST /console/v1/events.</p>
        </Empty>
      )}
      {value && value.data.length > 0 && <EventsTable events={value.data} isOld={isOld} />}
      {value && <Pages pagination={value.pagination} page={Number(page)} onPage={toPage} />}
    </>
  );
}

const EventsTable = ({ events, isOld }: { events: Recorded[]; isOld: boolean }) => (
  <table class="table" aria-busy={isOld}>
    <thead class="table-head">
      <tr>
        {['Event', 'Value', 'User', 'Metadata', 'When'].map((title) => (
          <th key={title} class="cell-head" scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {events.map((event, index) => (
        <RecordedEventRow key={index} event={event} />
      ))}
    </tbody>
  </table>
);

const RecordedEventRow = ({ event }: { event: Recorded }) => {
  const { name, source, value, userID, metadata, timestamp } = event;
  return (
    <tr class="row-of">
      <td class="cell cell-name">
        <span class="cell-link">{name}</span>
        <span class="cell-id">{source}</span>
      </td>
      <td class="cell cell-own">{value}</td>
      <td class="cell cell-own">
        <code>{userID}</code>
      </td>
      <td class="cell cell-own">
        <code class="clipped">
          {Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : ''}
        </code>
      </td>
      <td class="cell cell-status quiet">
        <Time at={Number(timestamp)} />
      </td>
    </tr>
  );
};
