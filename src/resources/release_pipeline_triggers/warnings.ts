import type * as z from 'zod';
import { type warning, warnings } from '../../http/warnings.ts';
import type { Remark } from '../../operations/shown.ts';
import { isEqual } from '../../shared/equal.ts';
import type { Trigger } from './schema.ts';
import { findRunning } from './start.ts';
import type { Released, Target } from './targets.ts';

type Warning = z.infer<typeof warning>;

const ofRules = (message: string): Warning => ({ property: 'rules', message });

const whileLaunched = ofRules(
  'take effect once the gate is enabled: it is Launched, and passes for everyone until then',
);

/** Until when rules hold that are put on something while a release of it is under way. */
function whileReleased(trigger: Trigger): Warning {
  const { id, phases, status, currentPhaseID } = trigger;
  const current = phases.findIndex((phase) => phase.id === currentPhaseID);
  const next = phases[status === 'WAITING_FOR_REVIEW' ? current : current + 1];
  return ofRules(
    next
      ? `hold until the release ${id} begins its phase ${next.name}, which puts its own in their place`
      : `hold unless the release ${id} is aborted, which puts those from before it in their place`,
  );
}

/**
 * Says of a change of rules when they take effect, where that is not at once and for good.
 * @param target what the entity is to a release
 * @param concerns whether a body can change rules
 */
export const warnOfRules = <E extends Released>(
  target: Target,
  concerns: (body: object) => boolean = () => true,
): Remark<E> => ({
  members: { warnings },
  async prepare(tx, id, body) {
    if (body && !concerns(body)) return () => ({});
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

/** Says of a release that begins that its rules do not take effect yet, where that is so. */
export const warnOfRelease = (released: Released | undefined): { warnings?: Warning[] } => {
  if (released?.status !== 'Launched') return {};
  const message =
    'names a gate that is Launched, and passes for everyone: the rules of the release take effect once it is enabled';
  return { warnings: [{ property: 'gateID', message }] };
};
