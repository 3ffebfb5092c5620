import { useEffect, useState } from 'preact/hooks';
import { isEqual } from '../../../base/equal.ts';
import { recordOf } from '../../../base/value_types.ts';
import { randomID } from '../../base/api.ts';
import { isFree, quoted } from '../../base/compare_values.ts';
import type { Entity, Revision } from '../../base/types.ts';
import { useGet, useRead } from '../../base/use.ts';
import { nameOf } from '../../base/words.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { say } from '../../ui/toast.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import { type EntityValues, type KindPage, pathOf } from '../kind.ts';
import { loadEntity } from '../load.ts';
import { differences } from './compare.ts';
import { Differences } from './differences.tsx';
import { changedOf, type OpenDraft } from './draft.ts';
import { type Clash, merge, type Side } from './merge.ts';

interface ConflictProps<E extends Entity> {
  kind: KindPage<E>;
  draft: OpenDraft<E>;
  title: string;
  onClose: () => void;
}

function clashSubject({ path, mine, theirs }: Clash): string {
  const [first = '', ...within] = path;
  if (isFree(first)) return within.join('.') || nameOf(first);
  const named = [mine, theirs].map((side) => recordOf(side).name).find(Boolean);
  const property = nameOf(path.findLast((step) => /^[a-z]+[A-Za-z]*$/.test(step)) ?? first);
  return named ? `${nameOf(first)}: ${quoted(named)}` : property;
}

function at(state: unknown, path: string[]): unknown {
  return path.reduce((value: unknown, step) => {
    if (Array.isArray(value)) return value.find((item) => (item.id ?? item.name) === step);
    return recordOf(value)[step];
  }, state);
}

function lineOf({ path }: Clash, side: unknown, base: unknown) {
  const [list = '', key] = path.slice(-2);
  const { id, name } = recordOf(side ?? at(base, path));
  const isItem = path.length > 1 && !path.some(isFree) && (id ?? name) === key;
  const stateOf = (value: unknown) => path.reduceRight((inner, step) => ({ [step]: inner }), value);
  const [before, after] = [at(base, path), side].map((value) =>
    isItem ? { [list]: [value ?? []].flat() } : recordOf(stateOf(value)),
  );
  return differences(before ?? {}, after ?? {}, recordOf(base));
}

function useTheirs<E extends Entity>(kind: KindPage<E>, base: E) {
  const path = pathOf(kind, base.id);
  const newest = `${path}/versions?limit=1`;
  const [opening] = useState(randomID); // a cached read of an earlier conflict may be outdated
  const name = `conflict ${path} ${base.version} ${opening}`;
  const read = useGet(name, () => loadEntity(kind, base.id));
  const last = useRead<Revision[]>(newest);
  return { ...read, newest: last.value?.data[0] };
}

/** Merges a draft with a newer version after a 412. */
export function Conflict<E extends Entity>(props: ConflictProps<E>) {
  const { kind, draft, title, onClose } = props;
  const { value: theirs, newest, ...got } = useTheirs(kind, draft.base);
  if (theirs) {
    const isStored = Object.keys(changedOf(theirs, { ...theirs, ...draft.edits })).length === 0;
    if (isStored) return <AlreadySaved onSeen={() => draft.rebase(theirs, theirs)} />;
    return <Merge {...props} theirs={theirs} newest={newest} />;
  }
  return (
    <Sheet title={title} onClose={onClose}>
      <ReadStatus {...got} />
    </Sheet>
  );
}

/** The newest version already contains the draft, for example if a response was lost. */
function AlreadySaved({ onSeen }: { onSeen: () => void }) {
  useEffect(() => {
    say('Already saved.');
    onSeen();
  }, []);
  return null;
}

interface MergeProps<E extends Entity> extends ConflictProps<E> {
  theirs: E;
  newest: Revision | undefined;
}

function Merge<E extends Entity>(props: MergeProps<E>) {
  const { kind, draft, title, onClose, theirs, newest } = props;
  const lock = kind.lock?.(theirs);
  const { base, value: mine } = draft;
  const [sides, setSides] = useState<Record<string, Side>>({});
  const sideOf = (path: string[]) => sides[path.join(' ')] ?? 'mine';
  const { value: merged, clashes } = merge(base, mine, theirs, sideOf);
  const use = () => {
    const after = Object.assign<Partial<E>, EntityValues>({}, recordOf(merged));
    draft.rebase(theirs, after);
    if (isEqual(after, theirs)) say('Nothing left to save.');
  };
  return (
    <Sheet title={title} onClose={onClose} footer={<MergeButtons onBack={onClose} onUse={use} />}>
      <NewerVersion newest={newest} />
      {lock ? <Note look="warn">{lock}</Note> : clashes.length === 0 && <NoOverlap />}
      {clashes.map((clash) => (
        <Choice
          key={clash.path.join(' ')}
          clash={clash}
          base={base}
          side={sideOf(clash.path)}
          onChoose={(side) => setSides({ ...sides, [clash.path.join(' ')]: side })}
        />
      ))}
      <Sides base={base} theirs={theirs} mine={mine} />
    </Sheet>
  );
}

const MergeButtons = ({ onBack, onUse }: Record<'onBack' | 'onUse', () => void>) => (
  <>
    <Button onClick={onBack}>Back to editing</Button>
    <Button look="primary" onClick={onUse}>
      Apply merge
    </Button>
  </>
);

const Sides = ({ base, theirs, mine }: Record<'base' | 'theirs' | 'mine', Entity>) => (
  <>
    <h3 class="section-title">Their changes</h3>
    <Differences list={differences(base, theirs)} />
    <h3 class="section-title">Your changes</h3>
    <Differences list={differences(base, mine)} />
  </>
);

const NoOverlap = () => <Note look="good">Your changes don't overlap.</Note>;

const NewerVersion = ({ newest }: { newest: Revision | undefined }) => (
  <Note
    look="warn"
    title={`${newest?.actorName ?? 'Someone'} saved a newer version while you were editing.`}
    live
  >
    {' Nothing is lost.'}
  </Note>
);

interface ChoiceProps {
  clash: Clash;
  base: unknown;
  side: Side;
  onChoose: (side: Side) => void;
}

const Choice = ({ clash, base, side: chosen, onChoose }: ChoiceProps) => (
  <fieldset class="clash">
    <legend class="clash-title">{`${clashSubject(clash)}: keep which?`}</legend>
    {(['mine', 'theirs'] as const).map((side) => (
      <label key={side} class="clash-side">
        <input
          type="radio"
          name={clash.path.join(' ')}
          checked={side === chosen}
          onChange={() => onChoose(side)}
        />
        <span class="clash-words">
          <strong>{side === 'mine' ? 'Yours' : 'Theirs'}</strong>
          <Differences list={lineOf(clash, clash[side], base)} />
        </span>
      </label>
    ))}
  </fieldset>
);
