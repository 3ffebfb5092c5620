import { entityTable } from '../../store/columns.ts';

export const pipelineTable = entityTable('release_pipelines', {});
