import type { SegmentEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { isOnList, isUnit, segmentName } from './conditions.ts';
import { compileRules, gateSpec, ruleOf } from './rules.ts';
import { oncePerEntity, type Scope } from './scope.ts';

/** Longer lists are kept out of the spec, which goes to every SDK on every change. */
const mostIDsInSpec = 1000;

/** Whether the ids of a segment are a list of their own. */
export const hasIDList = ({ type, ids }: SegmentEntity): boolean =>
  type === 'id_list' && ids.length > mostIDsInSpec;

/** A segment, as a gate that its members pass. */
export const compileSegment = oncePerEntity((segment: SegmentEntity, scope: Scope): Spec => {
  const { id, idType, version, type, ids } = segment;
  const members = hasIDList(segment) ? isOnList(idType, id) : isUnit(idType, ids);
  return gateSpec({
    name: segmentName(id),
    salt: id,
    entity: 'segment',
    idType,
    version,
    rules:
      type === 'id_list'
        ? [ruleOf({ id: 'id_list', conditions: [members], returnValue: true, idType })]
        : compileRules(segment.rules, { idType, salt: id, returnValue: () => true }, scope),
  });
});
