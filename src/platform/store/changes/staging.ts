import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import type { Newest, Rename } from '../core/reads.ts';
import type { StagedChange } from '../core/transaction.ts';
import { BatchTooLarge, batchLimits } from '../sql/database.ts';
import { byteLength } from '../sql/rows.ts';

/** The staged state of an entity, and its state before the last step. `after` is undefined once it is removed. */
export interface StagedEntity<E extends Entity> extends Newest {
  id: string;
  before: E | undefined;
  after: E | undefined;
}

export interface Staged {
  state<E extends Entity>(kind: Kind<E>, id: string): StagedEntity<E> | undefined;
  states<E extends Entity>(kind: Kind<E>): StagedEntity<E>[];
  snapshot<E extends Entity>(kind: Kind<E>, id: string, version: number): E | undefined;
  renamed<E extends Entity>(kind: Kind<E>, id: string, since: number): Rename | undefined;
}

function stateAfter<E extends Entity>({
  id,
  version,
  before,
  after,
}: StagedChange): StagedEntity<E> {
  const isGone = after === undefined;
  // The changes were found by a kind, which has entities of this type alone.
  return { id, version, isGone, before: before as E | undefined, after: after as E | undefined };
}

/** Returns an empty staging area. Steps are indexed by entity, because one request may stage thousands. */
export function staging(): Staged & { changes: StagedChange[]; stage(step: StagedChange): void } {
  const changes: StagedChange[] = [];
  const byKind = new Map<string, Map<string, StagedChange[]>>();
  const stepsOf = (kind: string, id: string) => byKind.get(kind)?.get(id);
  let bytes = 0;

  return {
    changes,

    stage(step) {
      const state = step.after ?? step.before;
      // History stores each state, so the batch is at least as large. Imports divide their batches themselves.
      if (state && step.action !== 'import') bytes += byteLength(JSON.stringify(state));
      if (bytes > batchLimits.bytes) throw new BatchTooLarge();
      changes.push(step);
      const { kind, id } = step;
      const ofKind = byKind.get(kind.kind) ?? new Map<string, StagedChange[]>();
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
      // The steps were found by a kind, which has entities of this type alone.
      return (step?.after ?? step?.before) as E | undefined;
    },

    renamed({ kind }, id, since) {
      const isEnd = ({ action, after, version }: StagedChange) =>
        action === 'rename' && !after && version > since;
      const step = stepsOf(kind, id)?.findLast(isEnd);
      return step?.renamedTo && { version: step.version, newID: step.renamedTo.id };
    },
  };
}
