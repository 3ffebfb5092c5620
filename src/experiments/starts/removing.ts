import { sql } from 'drizzle-orm';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';

/** Returns the statement after which the scheduler removes the exposures and results of a deleted experiment. */
export const removeLater = (id: string): Statement =>
  statement(sql`
    insert into analysis_removals (kind, id) select 'experiment', ${id}
    where exists (select 1 from analyses where kind = 'experiment' and id = ${id})
      or exists (select 1 from exposure_counts where kind = 'experiment' and id = ${id})
    on conflict do nothing`)();
