import { useState } from 'preact/hooks';
import { whyNot } from '../session.ts';
import type { Entity, Revision } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Unread } from '../ui/unread.tsx';
import { usePage } from '../use.ts';
import { Entry } from './entry.tsx';
import { type Kind, nameIn, pathOf } from './kind.ts';
import { Pages } from './pages.tsx';
import { Restore } from './restore.tsx';

const perPage = 20;

interface RestoreButtonProps<E extends Entity> {
  kind: Kind<E>;
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

/** A page of what became of an entity; of what is not stored, nothing is read. */
function useRevisions<E extends Entity>(kind: Kind<E>, { id, version }: E, page: number) {
  const path = `${pathOf(kind, id)}/versions?limit=${perPage}&page=${page}`;
  return usePage<Revision>(version > 0 ? path : '');
}

/** Everything that became of an entity, newest first, with the way back to each state. */
export function History<E extends Entity>({ kind, entity }: { kind: Kind<E>; entity: E }) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<number>();
  const read = useRevisions(kind, entity, page);
  const { value, isOld } = read;
  if (entity.version === 0) return <Empty title="Nothing was changed yet." />;
  if (!value) return <Unread {...read} />;
  return (
    <>
      <Unread {...read} />
      <ol class="timeline" aria-busy={isOld}>
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
