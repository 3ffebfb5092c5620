import { useState } from 'preact/hooks';
import { whyNot } from '../../base/session.ts';
import type { Entity, Revision } from '../../base/types.ts';
import { usePage } from '../../base/use.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import { type KindPage, nameIn, pathOf } from '../kind.ts';
import { Pages } from '../pages.tsx';
import { Entry } from './entry.tsx';
import { Restore } from './restore.tsx';

interface RestoreButtonProps<E extends Entity> {
  kind: KindPage<E>;
  version: number;
  onChoose: (version: number) => void;
}

const RestoreButton = <E extends Entity>({ kind, version, onChoose }: RestoreButtonProps<E>) => (
  <Button
    look="link"
    icon="redo"
    why={whyNot(kind.scope ?? 'write')}
    label={`Restore version ${version}`}
    onClick={() => onChoose(version)}
  >
    Restore
  </Button>
);

interface HistoryProps<E extends Entity> {
  kind: KindPage<E>;
  entity: E;
}

/** Lists the versions of an entity. An unregistered name has none. */
export const History = <E extends Entity>(props: HistoryProps<E>) =>
  props.entity.version > 0 ? <HistoryVersions {...props} /> : <Empty title="No changes yet." />;

function HistoryVersions<E extends Entity>({ kind, entity }: HistoryProps<E>) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<number>();
  const read = usePage<Revision>(`${pathOf(kind, entity.id)}/versions?limit=20&page=${page}`);
  const { value } = read;
  if (!value) return <ReadStatus {...read} />;
  return (
    <>
      <ReadStatus {...read} />
      <ol class="timeline" aria-busy={read.isOld}>
        {value.data.map((revision, index) => (
          <Entry
            key={revision.version}
            revision={revision}
            what="this"
            state={entity}
            aside={
              value.pagination.pageNumber === 1 && index === 0 ? (
                <span class="entry-current">current</span>
              ) : (
                <RestoreButton kind={kind} version={revision.version} onChoose={setChosen} />
              )
            }
          />
        ))}
      </ol>
      <Pages pagination={value.pagination} page={page} onPage={setPage} />
      {chosen !== undefined && (
        <Restore
          kind={kind}
          id={entity.id}
          title={nameIn(kind, entity)}
          version={chosen}
          current={entity.version}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
