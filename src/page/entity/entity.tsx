import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pageOf } from '../base/history_words.ts';
import { openDialogs, useShortcut } from '../base/keyboard.ts';
import { whyNot } from '../base/session.ts';
import { useTitle } from '../base/title.ts';
import type { Entity } from '../base/types.ts';
import { useGet } from '../base/use.ts';
import { count } from '../base/words.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import { useEditing } from './edit/editing.ts';
import { AsJSON } from './edit/json.tsx';
import { Gone } from './gone.tsx';
import { Head } from './head.tsx';
import { History } from './history/history.tsx';
import { ReferencesTab } from './history/references_tab.tsx';
import { type KindPage, nameIn } from './kind.ts';
import { entityRead, loadEntity } from './load.ts';
import { Review } from './review/review.tsx';

/** Returns the tabs that an entity's page can have, or the tabs of one entity. */
export const tabsOfPage = <E extends Entity>(
  { tabs, tabsOf, isUnnamed }: KindPage<E>,
  entity?: E,
): { path: string; title: string }[] => [
  ...((entity && tabsOf?.(entity)) ?? tabs),
  ...(isUnnamed ? [] : [{ path: 'used_by', title: 'Used by' }]),
  { path: 'history', title: 'History' },
  { path: 'json', title: 'JSON' },
];

interface EntityPageProps {
  kind: KindPage;
  id: string;
  part: string;
}

/** The page of one entity. */
export function EntityPage({ kind, id, part }: EntityPageProps) {
  const read = useGet(entityRead(kind, id), () => loadEntity(kind, id));
  const { value, problem } = read;
  useTitle(kind.isSingle ? kind.many : `${value ? nameIn(kind, value) : id} · ${kind.many}`);
  if (problem?.status === 404) return <Gone kind={kind} id={id} />;
  return (
    <>
      {problem && !value && <PageHead title={kind.isSingle ? kind.many : id} />}
      {!(value && problem?.status === 401) && <ReadStatus {...read} />}
      {value && <LoadedEntity kind={kind} stored={value} part={part} />}
    </>
  );
}

interface LoadedEntityProps<E extends Entity> {
  kind: KindPage<E>;
  stored: E;
  part: string;
}

function useReviewed(changes: number, mayNot: string | undefined) {
  const [isReviewed, setReviewed] = useState(false);
  useEffect(() => {
    if (changes === 0) setReviewed(false); // a merge can discard all changes
  }, [changes]);
  const canReview = () => changes > 0 && openDialogs() === 0 && mayNot === undefined;
  const review = () => canReview() && setReviewed(true);
  useShortcut('Ctrl+Enter', review, canReview);
  return { isReviewed, setReviewed, review };
}

function LoadedEntity<E extends Entity>({ kind, stored, part }: LoadedEntityProps<E>) {
  const { draft, editing, changes, wrong, setWrong, discard } = useEditing(kind, stored);
  const mayNot = whyNot(kind.scope ?? 'write');
  const { isReviewed, setReviewed, review } = useReviewed(changes, mayNot);
  const tabs = kind.tabsOf?.(stored) ?? kind.tabs;
  const tab = part === '' ? tabs[0] : tabs.find((one) => one.path === part);
  const lock = kind.lock?.(stored);
  return (
    <article>
      <Head
        kind={kind}
        entity={stored}
        waits={changes > 0 ? 'Save or discard your changes first' : undefined}
      />
      {kind.lead?.(stored)}
      <Tabs kind={kind} entity={stored} current={tab?.path ?? part} />
      {lock && tab && <Note look="info">{lock}</Note>}
      <section class="part">
        {tab && <tab.View editing={editing} />}
        {part === 'used_by' && <ReferencesTab kind={kind} id={stored.id} />}
        {part === 'history' && <History kind={kind} entity={stored} />}
        {part === 'json' && <AsJSON kind={kind} id={stored.id} />}
      </section>
      {changes > 0 && (
        <Dock
          changes={changes}
          edits={draft.edits}
          note={mayNot ?? noteOf(wrong.length, draft.isKept)}
          why={mayNot}
          onDiscard={discard}
          onReview={review}
        />
      )}
      {isReviewed && (
        <Review kind={kind} draft={draft} onClose={() => setReviewed(false)} onErrors={setWrong} />
      )}
    </article>
  );
}

interface TabsProps<E extends Entity> {
  kind: KindPage<E>;
  entity: E;
  current: string;
}

function Tabs<E extends Entity>({ kind, entity, current }: TabsProps<E>) {
  const page = pageOf(kind, entity.id);
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (tab && list.current)
      list.current.scrollLeft = tab.offsetLeft - list.current.clientWidth / 2;
  }, [current]);
  return (
    <nav class="tabs" aria-label="Sections" ref={list}>
      {tabsOfPage(kind, entity).map(({ path, title }, index) => (
        <a
          key={path}
          class="tab"
          aria-current={path === current ? 'page' : undefined}
          href={index > 0 && path ? `${page}/${path}` : page}
        >
          {title}
          {path === 'history' && entity.version > 0 && <span class="quiet"> {entity.version}</span>}
        </a>
      ))}
    </nav>
  );
}

interface DockProps {
  changes: number;
  edits: object | undefined;
  note: string;
  why: string | undefined;
  onDiscard: () => void;
  onReview: () => void;
}

function noteOf(wrong: number, isKept: boolean): string {
  if (wrong > 0) return 'not accepted';
  return isKept ? '' : 'too large to keep: lost when you leave';
}

function Discard({ edits, onDiscard }: Pick<DockProps, 'edits' | 'onDiscard'>) {
  const [askedFor, setAsked] = useState<DockProps['edits'] | null>(null);
  const asks = askedFor === edits;
  return (
    <Button
      look="link"
      onClick={({ detail }) => (asks && detail < 2 ? onDiscard() : setAsked(edits))}
    >
      {asks ? 'Discard changes?' : 'Discard'}
    </Button>
  );
}

const Dock = ({ changes, edits, note, why, onDiscard, onReview }: DockProps) => (
  <aside class="dock" aria-label="Unsaved changes">
    <p class="dock-words">
      <strong>{count(changes, 'unsaved change')}</strong> <span class="dock-note">{note}</span>
    </p>
    <Discard edits={edits} onDiscard={onDiscard} />
    <Button look="primary" byKeys why={why} onClick={onReview}>
      Review
    </Button>
  </aside>
);
