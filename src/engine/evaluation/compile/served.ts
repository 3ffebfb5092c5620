import type { Entities, ExperimentEntity } from '../entities.ts';

/** Whether units are assigned outside this service, which only analyzes the experiment. */
export const isAssignedElsewhere = ({
  assignmentSourceName,
  isAnalysisOnly,
}: Pick<ExperimentEntity, 'assignmentSourceName' | 'isAnalysisOnly'>): boolean =>
  Boolean(assignmentSourceName || isAnalysisOnly);

/** An experiment archived after its decision stays served, because archiving must not change values. */
const servedExperiments = (experiments: readonly ExperimentEntity[]): ExperimentEntity[] =>
  experiments
    .filter((experiment) => !isAssignedElsewhere(experiment))
    .filter(({ status, archivedFrom }) => status !== 'archived' || archivedFrom === 'decision_made')
    .map((experiment) =>
      experiment.status === 'archived' ? { ...experiment, status: 'decision_made' } : experiment,
    );

/** Dynamic configs, experiments and autotunes share names in SDKs: the oldest with an ID is served. */
export function servedOf(entities: Entities): Entities {
  const gates = entities.gates.filter(({ status }) => status !== 'Archived');
  const dynamicConfigs = entities.dynamicConfigs.filter(({ status }) => status !== 'Archived');
  const experiments = servedExperiments(entities.experiments);
  const { autotunes } = entities;
  const newestFirst = [...dynamicConfigs, ...experiments, ...autotunes]
    .reverse()
    .sort((a, b) => b.createdTime - a.createdTime);
  const first = new Set<object>(new Map(newestFirst.map((entity) => [entity.id, entity])).values());
  return {
    ...entities,
    gates,
    dynamicConfigs: dynamicConfigs.filter((config) => first.has(config)),
    experiments: experiments.filter((experiment) => first.has(experiment)),
    autotunes: autotunes.filter((autotune) => first.has(autotune)),
  };
}
