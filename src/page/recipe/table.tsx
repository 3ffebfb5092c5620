import type { Entity } from '../types.ts';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { type Kind, nameIn, pageOf } from './kind.ts';

interface TableProps {
  kind: Kind;
  rows: Entity[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  /** Whether something newer is on its way. */
  isOld: boolean;
}

const Tags = ({ kind, tags }: { kind: Kind; tags: string[] }) => (
  <span class="tags">
    {tags.slice(0, 3).map((tag) => (
      <a key={tag} class="tag" href={`/${kind.path}?tags=${encodeURIComponent(tag)}`}>
        {tag}
      </a>
    ))}
    {tags.length > 3 && <span class="quiet">{`+${tags.length - 3}`}</span>}
  </span>
);

/** The rows of a list; below a certain width each of them is a card. */
export function Table({ kind, rows, chosen, onChoose, isOld }: TableProps) {
  const isAll = rows.every(({ id }) => chosen.has(id));
  const choose = (ids: string[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    onChoose(next);
  };
  const hasTags = rows.some(({ tags }) => tags && tags.length > 0);
  return (
    <table class={isOld ? 'table table-old' : 'table'} aria-busy={isOld}>
      <thead class="table-head">
        <tr>
          {kind.bulk && (
            <th class="cell-head cell-check" scope="col">
              <input
                type="checkbox"
                aria-label="Choose all on this page"
                checked={isAll}
                onChange={({ currentTarget }) =>
                  choose(
                    rows.map(({ id }) => id),
                    currentTarget.checked,
                  )
                }
              />
            </th>
          )}
          <th class="cell-head" scope="col">
            Name
          </th>
          {kind.status && (
            <th class="cell-head" scope="col">
              Status
            </th>
          )}
          {kind.columns.map(({ title, isExtra }) => (
            <th key={title} class={isExtra ? 'cell-head cell-extra' : 'cell-head'} scope="col">
              {title}
            </th>
          ))}
          {hasTags && (
            <th class="cell-head cell-extra" scope="col">
              Tags
            </th>
          )}
          <th class="cell-head cell-extra" scope="col">
            Changed
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((entity) => (
          <tr key={entity.id} class={chosen.has(entity.id) ? 'row-of row-of-chosen' : 'row-of'}>
            {kind.bulk && (
              <td class="cell cell-check">
                <input
                  type="checkbox"
                  aria-label={`Choose ${nameIn(kind, entity)}`}
                  checked={chosen.has(entity.id)}
                  onChange={({ currentTarget }) => choose([entity.id], currentTarget.checked)}
                />
              </td>
            )}
            <td class="cell cell-name">
              <a class="cell-link" href={pageOf(kind, entity.id)}>
                {nameIn(kind, entity)}
              </a>
              <code class="cell-id">{entity.id}</code>
            </td>
            {kind.status && (
              <td class="cell cell-status">
                <Status {...kind.status(entity)} />
              </td>
            )}
            {kind.columns.map(({ title, render, isExtra }) => (
              <td key={title} class={isExtra ? 'cell cell-extra' : 'cell cell-own'}>
                {render(entity)}
              </td>
            ))}
            {hasTags && (
              <td class="cell cell-extra">
                <Tags kind={kind} tags={entity.tags ?? []} />
              </td>
            )}
            <td class="cell cell-extra cell-when">
              <Time at={entity.lastModifiedTime} />
              <span class="cell-by">{entity.lastModifierName}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
