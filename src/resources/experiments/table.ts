import { ruleReferences } from '../../shared/rules.ts';
import { type Collection, collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { labels, naming, namingMetrics, partID, type Reference } from '../../store/naming.ts';
import { keepHoldouts } from '../holdouts/member.ts';
import { parameterFor } from '../layers/parameters.ts';
import { requireRoom } from './allocation.ts';
import { type Experiment, rulesJSON } from './schema.ts';

export const experimentTable = entityTable('experiments', {
  status: textField('status'),
  experimentType: textField('experimentType'),
  layerID: textField('layerID'),
  idType: textField('idType'),
  teamID: textField('teamID'),
});

/** The parameters of its layer that an experiment sets: each must be there, and of the type of its values. */
function layerParameters({ layerID, groups }: Experiment): Reference[] {
  if (!layerID) return [];
  return groups.flatMap(({ parameterValues }, index) =>
    Object.entries(parameterValues).map(([parameter, value]) => ({
      ...parameterFor(layerID, parameter, value),
      property: `groups.${index}.parameterValues.${parameter}`,
    })),
  );
}

/** The names of all parameters that any group sets. */
const parameterNames = (groups: Experiment['groups']): string[] => [
  ...new Set(groups.flatMap(({ parameterValues }) => Object.keys(parameterValues))),
];

export const experiments: Collection<Experiment> = collection({
  kind: 'experiment',
  title: 'Experiment',
  table: experimentTable,
  references: (experiment) => [
    ...labels(experiment),
    ...naming('targetingGateID', 'gate', experiment.targetingGateID),
    ...naming('layerID', 'layer', experiment.layerID),
    ...naming('assignmentSourceName', 'assignment_source', experiment.assignmentSourceName),
    ...namingMetrics('primaryMetrics', experiment.primaryMetrics),
    ...namingMetrics('secondaryMetrics', experiment.secondaryMetrics),
    ...namingMetrics('otherMetrics', experiment.otherMetrics ?? []),
    ...ruleReferences(
      rulesJSON.parse(experiment.inlineTargetingRulesJSON),
      'inlineTargetingRulesJSON',
    ),
    ...experiment.overrides.overrides.map(({ type, id }, index) => ({
      kind: type,
      id,
      property: `overrides.${index}.id`,
    })),
    ...layerParameters(experiment),
  ],
  isReferable: ({ status }) => status !== 'archived',
  parts: ({ id, groups }) => [
    ...groups.map(({ name }) => ({ kind: 'experiment_group', id: partID(id, name) })),
    ...parameterNames(groups).map((name) => ({
      kind: 'experiment_parameter',
      id: partID(id, name),
    })),
  ],
  restored: keepHoldouts,
  entails: (tx, before, after) => requireRoom(tx, experiments, before, after),
});
