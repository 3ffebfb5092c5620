import { newID } from '../../shared/ids.ts';
import type { Draft } from '../../store/core/transaction.ts';
import { notStarted } from './lifecycle.ts';
import { noOverrides } from './overrides.ts';
import type { Experiment } from './schema.ts';

/** Returns candidate IDs for a name. The last one is always free. */
export function idsFor(name: string): string[] {
  const id = newID(undefined, name);
  const further = Array.from({ length: 99 }, (_, index) => `_${index + 2}`);
  return [
    id,
    ...further.map((suffix) => `${id.slice(0, 100 - suffix.length)}${suffix}`),
    crypto.randomUUID(),
  ];
}

/**
 * Copies an experiment, except IDs, times, status, decision and overrides.
 * See docs/contract/api.md#2-post-consolev1experimentsidrestart_as_new.
 */
export function restartAsNew(original: Experiment, id: string, name: string): Draft<Experiment> {
  const groups = original.groups.map((group) => ({ ...group, id: crypto.randomUUID() }));
  const control = original.groups.findIndex(({ id }) => id === original.controlGroupID);
  const { creatorID: _creator, creatorEmail: _email, allocatedBuckets: _own, ...rest } = original;
  return {
    ...rest,
    id,
    name,
    groups,
    controlGroupID: groups[control]?.id ?? '',
    status: 'setup',
    archivedFrom: null,
    ...notStarted,
    salt: null,
    overrides: noOverrides,
    restartedFrom: original.id,
  };
}
