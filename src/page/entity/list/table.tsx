import type { ComponentChildren } from 'preact';
import { pageOf } from '../../base/history_words.ts';
import type { Entity } from '../../base/types.ts';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { type KindPage, nameIn, type TableProps } from '../kind.ts';

interface SelectableProps<E extends Entity> extends TableProps<E> {
  heads: ComponentChildren;
  cells: (entity: E) => ComponentChildren;
}

/** A table whose rows can be selected; cards on narrow screens. */
export function Selectable<E extends Entity>(props: SelectableProps<E>) {
  const { kind, rows, chosen, onChoose, isOld, heads, cells } = props;
  const ids = rows.map(({ id }) => id);
  const choose = (some: string[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const id of some) isOn ? next.add(id) : next.delete(id);
    onChoose(next);
  };
  return (
    <table class="table" aria-busy={isOld}>
      <thead class={kind.bulk ? 'table-head table-head-bulk' : 'table-head'}>
        <tr>
          {kind.bulk && (
            <CheckAll ids={ids} chosen={chosen} onChange={(isOn) => choose(ids, isOn)} />
          )}
          {heads}
        </tr>
      </thead>
      <tbody>
        {rows.map((entity) => (
          <tr key={entity.id} class={chosen.has(entity.id) ? 'row-of row-of-chosen' : 'row-of'}>
            {kind.bulk && (
              <td class="cell cell-check">
                <Check
                  label={`Select ${nameIn(kind, entity)}`}
                  isOn={chosen.has(entity.id)}
                  onChange={(isOn) => choose([entity.id], isOn)}
                />
              </td>
            )}
            {cells(entity)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Table(props: TableProps) {
  const { kind, rows } = props;
  const hasTags = rows.some(({ tags }) => tags && tags.length > 0);
  return (
    <Selectable
      {...props}
      heads={<ListHeads kind={kind} hasTags={hasTags} />}
      cells={(entity) => <ListCells kind={kind} entity={entity} hasTags={hasTags} />}
    />
  );
}

interface CheckProps {
  label: string;
  isOn: boolean;
  isMixed?: boolean;
  onChange: (isOn: boolean) => void;
}

const Check = ({ label, isOn, isMixed = false, onChange }: CheckProps) => (
  <label class="check-row">
    <input
      type="checkbox"
      checked={isOn}
      indeterminate={isMixed && !isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span class="check-words">{label}</span>
  </label>
);

interface CheckAllProps {
  ids: string[];
  chosen: ReadonlySet<string>;
  onChange: (isOn: boolean) => void;
}

const CheckAll = ({ ids, chosen, onChange }: CheckAllProps) => (
  <th class="cell-head cell-check" scope="col">
    <Check
      label="Select all on this page"
      isOn={ids.every((id) => chosen.has(id))}
      isMixed={ids.some((id) => chosen.has(id))}
      onChange={onChange}
    />
  </th>
);

function ListHeads({ kind, hasTags }: { kind: KindPage; hasTags: boolean }) {
  const titles = [
    { title: 'Name', isExtra: false },
    ...(kind.status ? [{ title: 'Status', isExtra: false }] : []),
    ...kind.columns,
    ...(hasTags ? [{ title: 'Tags', isExtra: true }] : []),
    { title: 'Changed', isExtra: true },
  ];
  return (
    <>
      {titles.map(({ title, isExtra }) => (
        <th key={title} class={isExtra ? 'cell-head cell-extra' : 'cell-head'} scope="col">
          {title}
        </th>
      ))}
    </>
  );
}

interface ListCellsProps {
  kind: KindPage;
  entity: Entity;
  hasTags: boolean;
}

/** The name of an entity, which links to its page, and its ID. */
export const NameCell = <E extends Entity>({ kind, entity }: { kind: KindPage<E>; entity: E }) => (
  <td class="cell cell-name">
    <a class="cell-link" href={pageOf(kind, entity.id)} title={nameIn(kind, entity)}>
      {nameIn(kind, entity)}
    </a>
    {nameIn(kind, entity) !== entity.id && (
      <code class="cell-id" title={entity.id}>
        {entity.id}
      </code>
    )}
  </td>
);

const ListCells = ({ kind, entity, hasTags }: ListCellsProps) => (
  <>
    <NameCell kind={kind} entity={entity} />
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
      <Changed entity={entity} />
    </td>
  </>
);

/** The first tags of an entity, as filters. */
export const Tags = ({ kind, tags }: { kind: Pick<KindPage, 'path'>; tags: string[] }) => (
  <span class="tags">
    {tags.slice(0, 3).map((tag) => (
      <a key={tag} class="tag" href={`/${kind.path}?tags=${encodeURIComponent(tag)}`}>
        {tag}
      </a>
    ))}
    {tags.length > 3 && <span class="quiet">{`+${tags.length - 3}`}</span>}
  </span>
);

const Changed = ({
  entity: { version, lastModifiedTime, lastModifierName },
}: {
  entity: Entity;
}) =>
  version === 0 ? (
    <>not registered</>
  ) : (
    <>
      <Time at={lastModifiedTime} />
      <span class="cell-by">{lastModifierName}</span>
    </>
  );
