import type { IngestionSource } from '../../data/ingestion/schema.ts';
import { useTitle } from '../base/title.ts';
import { isDone, useRead } from '../base/use.ts';
import { Code } from '../ui/code.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { Section } from '../ui/section.tsx';
import { onOrOff, Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import type { Connection } from './warehouse_sheet.tsx';
import { Warehouses } from './warehouses.tsx';

function Sources({ sources }: { sources: IngestionSource[] }) {
  if (sources.length === 0)
    return (
      <Empty title="No ingestion sources yet.">
        <p>The API creates them. No rows are read from a source yet.</p>
      </Empty>
    );
  return (
    <ul class="cards">
      {sources.map((source) => (
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

/** The page of warehouses and ingestion sources. It waits for both, so that the layout does not jump. */
export function Connections() {
  useTitle('Connections');
  const connection = useRead<Connection>('/wh_connections');
  const sources = useRead<IngestionSource[]>('/ingestion?limit=100');
  return (
    <>
      <PageHead title="Connections" />
      {isDone(connection) && isDone(sources) ? (
        <div class="stack">
          <Section title="Warehouses">
            {connection.value ? (
              <Warehouses connection={connection.value.data} />
            ) : (
              <ReadStatus {...connection} />
            )}
          </Section>
          <Section title="Ingestion sources">
            {sources.value ? <Sources sources={sources.value.data} /> : <ReadStatus {...sources} />}
          </Section>
        </div>
      ) : (
        <Loading />
      )}
    </>
  );
}
