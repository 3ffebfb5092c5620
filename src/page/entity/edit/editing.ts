import { useMemo, useState } from 'preact/hooks';
import { isEqual } from '../../../base/equal.ts';
import type { PropertyError } from '../../../base/problem.ts';
import { recordOf } from '../../../base/value_types.ts';
import { pageOf } from '../../base/history_words.ts';
import { whyNot } from '../../base/session.ts';
import type { Entity } from '../../base/types.ts';
import type { Editing, EntityValues, KindPage } from '../kind.ts';
import { differences } from '../review/compare.ts';
import { useDraft } from '../review/draft.ts';

const memberOf = (value: unknown, step: string): unknown =>
  Array.isArray(value) ? value[Number(step)] : recordOf(value)[step];

function moveError({ property, errorMessage }: PropertyError, before: object, after: object) {
  const place: string[] = [];
  let [old, now]: unknown[] = [before, after];
  for (const step of property.split('.')) {
    const item = memberOf(old, step);
    let next = step;
    if (Array.isArray(old) && Array.isArray(now)) {
      const at = now.indexOf(item);
      if (at >= 0) next = String(at);
      else if (now.length < old.length) return [];
    }
    place.push(next);
    [old, now] = [item, memberOf(now, next)];
  }
  return isEqual(old, now) ? [{ property: place.join('.'), errorMessage }] : [];
}

/** Returns the draft of an entity with the errors of the last dry run. */
export function useEditing<E extends Entity>(kind: KindPage<E>, stored: E) {
  const draft = useDraft<E>(pageOf(kind, stored.id), stored);
  const [wrong, setWrong] = useState<PropertyError[]>([]);
  const errors = useMemo(
    () => new Map(wrong.map(({ property, errorMessage }) => [property, errorMessage])),
    [wrong],
  );
  const { base, value } = draft;
  const set = (edits: EntityValues) => {
    draft.change(Object.assign<Partial<E>, EntityValues>({}, edits));
    const next = wrong.flatMap((error) => moveError(error, value, { ...value, ...edits }));
    if (!isEqual(next, wrong)) setWrong(next);
  };
  const editing: Editing<E> = {
    value,
    stored,
    set,
    lock: kind.lock?.(stored) ?? whyNot(kind.scope ?? 'write'),
    errors,
  };
  const isEdited = Object.keys(draft.edits ?? {}).length > 0;
  const changes = useMemo(
    () => (isEdited ? differences(base, value).length || 1 : 0),
    [isEdited, base, value],
  );
  const discard = () => {
    draft.discard();
    setWrong([]);
  };
  return { draft, editing, changes, wrong, setWrong, discard };
}
