import { sql } from 'drizzle-orm';
import { distinct } from '../../base/distinct.ts';
import type { Start, StartSettings } from '../../experiments/starts/table.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { statement } from '../../platform/store/sql/statement.ts';

export type Carriers = [id: string, tags: string[]][];

const maxMetrics = 50;

const readCarriers = (tags: readonly string[]) =>
  statement(
    sql`select l.id, json_group_array(l.value) as tags
      from json_each(${JSON.stringify(tags)}) t
        cross join labels l on l.kind = 'metric' and l.label = 'tags' and l.value = t.value
        cross join metrics m on m.id = l.id
      group by l.id order by m.name, l.id`,
    ({ id, tags: own }): Carriers[number] => [String(id), JSON.parse(String(own))],
  )();

/** Reads the metrics that carry a tag of analyses, in the order of their names; nothing without tags. */
export async function carriersOf(
  tx: Reads,
  all: readonly Pick<Start, 'settings'>[],
): Promise<Carriers> {
  const tags = all.flatMap(({ settings }) => settings.tags ?? []);
  const wanted = distinct(tags.flatMap(({ primary, secondary }) => [...primary, ...secondary]));
  return wanted.length > 0 ? (await tx.read(readCarriers(wanted)))[0] : [];
}

/** Returns settings with the metrics that carry their tags, after the named ones; at most 50 in all. */
export function withTagged(settings: StartSettings, carriers: Carriers): StartSettings {
  const { tags, primaryMetrics, secondaryMetrics, otherMetrics } = settings;
  if (!tags) return settings;
  const isNamed = (id: string) => !tags.added.includes(id);
  const all = new Set([...primaryMetrics, ...secondaryMetrics, ...otherMetrics].filter(isNamed));
  const added: string[] = [];
  const listed = (list: readonly string[], wanted: readonly string[]) => {
    const own = carriers.filter(
      ([id, its]) => !all.has(id) && its.some((tag) => wanted.includes(tag)),
    );
    const more = own.map(([id]) => id).slice(0, Math.max(0, maxMetrics - all.size));
    for (const id of more) all.add(id);
    added.push(...more);
    return [...list.filter(isNamed), ...more];
  };
  return {
    ...settings,
    primaryMetrics: listed(primaryMetrics, tags.primary),
    secondaryMetrics: listed(secondaryMetrics, tags.secondary),
    tags: { ...tags, added },
  };
}
