import { useState } from 'preact/hooks';
import { pageOf } from '../base/history_words.ts';
import { useTitle } from '../base/title.ts';
import type { Revision } from '../base/types.ts';
import { useRead } from '../base/use.ts';
import { lower } from '../base/words.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { Section } from '../ui/section.tsx';
import { Identity } from './head.tsx';
import { Entry } from './history/entry.tsx';
import { Restore } from './history/restore.tsx';
import { type KindPage, pathOf } from './kind.ts';
import { forgetDraft, useDrafts } from './review/draft.ts';

const GoneVersions = ({ revisions }: { revisions: Revision[] }) => (
  <Section title="History">
    <ol class="timeline">
      {revisions.map((revision) => (
        <Entry key={revision.version} revision={revision} what="this" />
      ))}
    </ol>
  </Section>
);

interface NextStepsProps {
  kind: KindPage;
  page: string;
  onRestore: (() => void) | undefined;
}

function NextSteps({ kind, page, onRestore }: NextStepsProps) {
  const hasDraft = useDrafts().includes(page);
  return (
    <p class="row">
      {onRestore && (
        <Button look="primary" icon="redo" onClick={onRestore}>
          Restore …
        </Button>
      )}
      {hasDraft && <Button onClick={() => forgetDraft(page)}>Discard changes</Button>}
      <a href={`/${kind.path}`}>All {lower(kind.many)}</a>
    </p>
  );
}

/** The page of a missing entity: its history, and restoring it if it was deleted. */
export function Gone({ kind, id }: { kind: KindPage; id: string }) {
  const path = `${pathOf(kind, id)}/versions?limit=20`;
  const { value } = useRead<Revision[]>(path);
  const [isOpen, setOpen] = useState(false);
  const [last, before] = value?.data ?? [];
  const name = last?.name || id;
  const isDeleted = last?.action === 'delete' && before !== undefined;
  const open = () => setOpen(true);
  useTitle(`${name} · ${kind.many}`);
  return (
    <>
      <PageHead title={name} />
      <div class="stack">
        {name !== id && <Identity id={id} />}
        <Empty title={`No ${kind.one} has this ID.`}>
          <NextSteps kind={kind} page={pageOf(kind, id)} onRestore={isDeleted ? open : undefined} />
        </Empty>
        {value && <GoneVersions revisions={value.data} />}
      </div>
      {isOpen && before && (
        <Restore
          kind={kind}
          id={id}
          title={name}
          version={before.version}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
