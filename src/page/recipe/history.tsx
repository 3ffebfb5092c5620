import { useState } from 'preact/hooks';
import { get } from '../api.ts';
import { whyNot } from '../session.tsx';
import type { Entity, Revision } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { Refusal } from '../ui/problem.tsx';
import { useGet } from '../use.ts';
import { titleOf } from '../words.ts';
import { Entry } from './entry.tsx';
import { type Kind, pathOf } from './kind.ts';
import { Pages } from './pages.tsx';
import { Restore } from './restore.tsx';

const perPage = 20;

/** Everything that became of an entity, newest first, with the way back to each state. */
export function History<E extends Entity>({ kind, entity }: { kind: Kind<E>; entity: E }) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<number>();
  const isStored = entity.version > 0;
  const path = `${pathOf(kind, entity.id)}/versions?limit=${perPage}&page=${page}`;
  const { value, problem, again } = useGet(isStored ? path : '', () => get<Revision[]>(path));
  if (!isStored) return <Empty title="Nothing was changed yet." />;
  if (!value) return problem ? <Refusal problem={problem} onAgain={again} /> : <Loading />;
  const why = whyNot(kind.scope ?? 'write');
  const restoreButton = (version: number) => (
    <Button
      look="link"
      icon="redo"
      why={why}
      label={`Restore version ${version}`}
      onClick={() => setChosen(version)}
    >
      Restore
    </Button>
  );
  const current = <span class="entry-current">current</span>;
  return (
    <>
      <ol class="timeline">
        {value.data.map((revision, index) => (
          <Entry
            key={revision.version}
            revision={revision}
            what="this"
            aside={page === 1 && index === 0 ? current : restoreButton(revision.version)}
          />
        ))}
      </ol>
      <Pages pagination={value.pagination} page={page} onPage={setPage} />
      {chosen !== undefined && (
        <Restore
          kind={kind}
          id={entity.id}
          title={titleOf(entity)}
          version={chosen}
          current={entity.version}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
