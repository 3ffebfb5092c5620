import type { SegmentEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { isOnList, isUnit, segmentName } from './conditions.ts';
import { compileRules, gateSpec, specRule } from './rules.ts';
import { type CompileScope, oncePerEntity } from './scope.ts';

/** Longer lists are not in the spec, which every SDK downloads after each change. */
const maxIDsInSpec = 1000;

/** Whether the IDs of a segment are served as a list of their own. */
export const hasIDList = ({ type, ids }: SegmentEntity): boolean =>
  type === 'id_list' && ids.length > maxIDsInSpec;

/** Compiles a segment to a gate that passes its members. */
export const compileSegment = oncePerEntity((segment: SegmentEntity, scope: CompileScope): Spec => {
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
        ? [specRule({ id: 'id_list', conditions: [members], returnValue: true, idType })]
        : compileRules(segment.rules, { idType, salt: id, returnValue: () => true }, scope),
  });
});
