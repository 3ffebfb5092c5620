import type { IngestionSource } from '../../resources/ingestion/schema.ts';
import { get } from '../api.ts';
import { useTitle } from '../title.ts';
import { Code } from '../ui/code.tsx';
import { Empty } from '../ui/empty.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { Section } from '../ui/section.tsx';
import { onOrOff, Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { Unread } from '../ui/unread.tsx';
import { useGet } from '../use.ts';
import { Warehouses } from './warehouses.tsx';

function Sources() {
  const path = '/ingestion?limit=100';
  const { value, ...got } = useGet(path, () => get<IngestionSource[]>(path));
  if (!value) return <Unread {...got} />;
  if (value.data.length === 0)
    return (
      <Empty title="No rows are taken in from a warehouse yet.">
        <p>A source says which table the values of metrics come from.</p>
      </Empty>
    );
  return (
    <ul class="cards">
      {value.data.map((source) => (
        <li key={source.id} class="card">
          <h3 class="card-title">{source.source_name || source.type}</h3>
          <Status {...onOrOff(source.enabled)} />
          <p class="quiet">
            {`${source.dataset} from ${[source.type, source.schema, source.table].filter(Boolean).join(', ')}`}
          </p>
          {source.query && <Code text={source.query} />}
          <p class="quiet">
            changed <Time at={source.lastModifiedTime} /> by {source.lastModifierName}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** What the project reads from elsewhere. */
export function Connections() {
  useTitle('Connections');
  return (
    <>
      <PageHead title="Connections" />
      <div class="stack">
        <Section title="Warehouses">
          <Warehouses />
        </Section>
        <Section title="Ingestion sources">
          <Sources />
        </Section>
      </div>
    </>
  );
}
