import type * as z from 'zod';
import { isEqual } from '../../base/equal.ts';
import { type warning, warnings } from '../../platform/http/warnings.ts';
import type { Remark } from '../../platform/operations/resource.ts';
import type { Trigger } from './schema.ts';
import { findRunning } from './start.ts';
import type { Released, ReleaseTarget } from './targets.ts';

type ReleaseWarning = z.infer<typeof warning>;

const rulesWarning = (message: string): ReleaseWarning => ({ property: 'rules', message });

const whileLaunched = rulesWarning(
  'take effect once the gate is enabled; it is Launched, so everyone passes until then',
);

function whileReleased(trigger: Trigger): ReleaseWarning {
  const { id, phases, status, currentPhaseID } = trigger;
  const current = phases.findIndex((phase) => phase.id === currentPhaseID);
  const next = phases[status === 'WAITING_FOR_REVIEW' ? current : current + 1];
  return rulesWarning(
    next
      ? `apply until the release ${id} begins its phase ${next.name}, which replaces them`
      : `apply unless the release ${id} is aborted, which restores the rules from before it`,
  );
}

/** Warns of a change by a body in `changesRules` that takes effect later or temporarily. */
export const warnOfRules = <E extends Released>(
  target: ReleaseTarget,
  changesRules: (body: object) => boolean = () => true,
): Remark<E> => ({
  members: { warnings },
  async prepare(tx, id, body) {
    if (body && !changesRules(body)) return () => ({});
    const running = await findRunning(tx, target, id);
    return (before, after) => {
      if (isEqual(before?.rules, after.rules)) return {};
      const found = [
        ...(after.status === 'Launched' ? [whileLaunched] : []),
        ...running.map(whileReleased),
      ];
      return found.length > 0 ? { members: { warnings: found } } : {};
    };
  },
});

export const warnOfRelease = (released: Released | undefined): { warnings?: ReleaseWarning[] } => {
  if (released?.status !== 'Launched') return {};
  const message =
    'refers to a gate that is Launched, so everyone passes; the rules of the release take effect once it is enabled';
  return { warnings: [{ property: 'gateID', message }] };
};
