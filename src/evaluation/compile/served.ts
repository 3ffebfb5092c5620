import type { Entities, ExperimentEntity } from '../entities.ts';

/** Whether the units of an experiment are drawn elsewhere, and only looked at here. */
export const isDrawnElsewhere = ({
  assignmentSourceName,
  isAnalysisOnly,
}: Pick<ExperimentEntity, 'assignmentSourceName' | 'isAnalysisOnly'>): boolean =>
  Boolean(assignmentSourceName || isAnalysisOnly);

/**
 * The experiments that are served, each in the status that it is served in. Left out are those whose units are
 * drawn elsewhere, and archived ones; but one that was archived after its decision goes on as decided, because
 * archiving tidies up and must not change what users see.
 */
const servedExperiments = (experiments: readonly ExperimentEntity[]): ExperimentEntity[] =>
  experiments
    .filter((experiment) => !isDrawnElsewhere(experiment))
    .filter(({ status, archivedFrom }) => status !== 'archived' || archivedFrom === 'decision_made')
    .map((experiment) =>
      experiment.status === 'archived' ? { ...experiment, status: 'decision_made' } : experiment,
    );

/**
 * What is served of a project. Dynamic configs, experiments and autotunes share one list of names in every SDK: of
 * several with one name the one created first is served.
 */
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
