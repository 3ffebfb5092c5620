import { Problem } from '../../problem.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Newest, Rename } from '../core/reads.ts';
import type { Change } from '../core/transaction.ts';
import { byteLength } from '../sql/rows.ts';

/** Where an entity stands after what a transaction has staged, and before its last step; `after` is absent once it is removed. */
export interface State<E extends Entity> extends Newest {
  id: string;
  before: E | undefined;
  after: E | undefined;
}

/** What a transaction has staged, as its own reads see it. */
export interface Staged {
  /** Where an entity stands; nothing where no step is of it. */
  state<E extends Entity>(kind: Kind<E>, id: string): State<E> | undefined;
  /** Where each entity of a kind stands that has a step. */
  states<E extends Entity>(kind: Kind<E>): State<E>[];
  /** The state that history would show of a version. */
  snapshot<E extends Entity>(kind: Kind<E>, id: string, version: number): E | undefined;
  /** The last rename that took an id away after a version. */
  renamed<E extends Entity>(kind: Kind<E>, id: string, since: number): Rename | undefined;
}

function stateAfter<E extends Entity>({ id, version, before, after }: Change): State<E> {
  const isGone = after === undefined;
  return { id, version, isGone, before: before as E | undefined, after: after as E | undefined };
}

/**
 * Bytes of JSON of all states that a transaction makes: each is held some ten times until it is stored, by a Worker and
 * by D1, which have 128 MB each.
 */
const most = 12_000_000;

/** 413 for states that are too large together. */
function requireRoom(bytes: number): void {
  if (bytes <= most) return;
  const message = 'What would change is larger together than 12 MB; nothing was stored.';
  throw new Problem('too_large', `${message} Change less at once.`);
}

/**
 * Starts to stage: the steps in their order, and those of each entity, which are looked for at every find: one request
 * may stage thousands.
 */
export function staging(): Staged & { changes: Change[]; stage(step: Change): void } {
  const changes: Change[] = [];
  const byKind = new Map<string, Map<string, Change[]>>();
  const stepsOf = (kind: string, id: string) => byKind.get(kind)?.get(id);
  let bytes = 0;

  return {
    changes,

    stage(step) {
      const state = step.after ?? step.before;
      // What is imported comes in groups of a size.
      if (state && step.action !== 'import') bytes += byteLength(JSON.stringify(state));
      requireRoom(bytes);
      changes.push(step);
      const { kind, id } = step;
      const ofKind = byKind.get(kind.kind) ?? new Map<string, Change[]>();
      byKind.set(kind.kind, ofKind);
      const earlier = ofKind.get(id);
      if (earlier) earlier.push(step);
      else ofKind.set(id, [step]);
    },

    state({ kind }, id) {
      const last = stepsOf(kind, id)?.at(-1);
      return last && stateAfter(last);
    },

    states({ kind }) {
      const steps = [...(byKind.get(kind)?.values() ?? [])];
      return steps.flatMap((each) => each.at(-1) ?? []).map(stateAfter<never>);
    },

    snapshot<E extends Entity>({ kind }: Kind<E>, id: string, version: number) {
      const step = stepsOf(kind, id)?.find((change) => change.version === version);
      return (step?.after ?? step?.before) as E | undefined;
    },

    renamed({ kind }, id, since) {
      const isEnd = ({ action, after, version }: Change) =>
        action === 'rename' && !after && version > since;
      const step = stepsOf(kind, id)?.findLast(isEnd);
      return step?.twin && { version: step.version, newID: step.twin.id };
    },
  };
}
