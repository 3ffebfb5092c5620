import { newID } from '../../../base/ids.ts';
import type { Draft } from '../../../platform/store/core/transaction.ts';
import { noOverrides } from '../overrides.ts';
import type { Experiment } from '../schema.ts';
import { initialRun } from './lifecycle.ts';

/** Returns candidate ids for a name, in order of preference. The last one is a random UUID and always free. */
export function idCandidates(name: string): string[] {
  const id = newID(undefined, name);
  const suffixes = Array.from({ length: 99 }, (_, index) => `_${index + 2}`);
  return [
    id,
    ...suffixes.map((suffix) => `${id.slice(0, 100 - suffix.length)}${suffix}`),
    crypto.randomUUID(),
  ];
}

/** Copies the settings of an experiment. See docs/contract/api.md#2-post-consolev1experimentsidrestart_as_new. */
export function restartAsNew(original: Experiment, id: string, name: string): Draft<Experiment> {
  const groups = original.groups.map((group) => ({ ...group, id: crypto.randomUUID() }));
  const control = original.groups.findIndex(({ id }) => id === original.controlGroupID);
  const { creatorID: _creator, creatorEmail: _email, ...others } = original;
  const { allocatedBuckets: _buckets, assignmentStopTime: _stop, ...rest } = others;
  return {
    ...rest,
    id,
    name,
    groups,
    controlGroupID: groups[control]?.id ?? '',
    status: 'setup',
    archivedFrom: null,
    ...initialRun,
    salt: null,
    overrides: noOverrides,
    restartedFrom: original.id,
  };
}
