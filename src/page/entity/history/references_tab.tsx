import { addressOf, kindInWords } from '../../base/history_words.ts';
import { useRead } from '../../base/use.ts';
import { lower, nameOf } from '../../base/words.ts';
import { Empty } from '../../ui/empty.tsx';
import { Section } from '../../ui/section.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import { type KindPage, pathOf } from '../kind.ts';

interface Reference {
  kind: string;
  id: string;
  field: string;
}

interface References {
  usedBy: Reference[];
  uses: Reference[];
}

const ReferenceList = ({
  title,
  references,
  emptyText,
}: {
  title: string;
  references: Reference[];
  emptyText: string;
}) => (
  <Section title={title}>
    {references.length === 0 && <Empty title={emptyText} />}
    <ul class="items">
      {references.map(({ kind, id, field }) => (
        <li key={`${kind} ${id} ${field}`} class="item">
          <span class="item-kind">{kindInWords(kind)}</span>
          <a href={addressOf(kind, id)}>{id}</a>
          <span class="quiet">{`(${lower(nameOf(field))})`}</span>
        </li>
      ))}
    </ul>
  </Section>
);

/** Lists the references to and from an entity. */
export function ReferencesTab({ kind, id }: { kind: KindPage; id: string }) {
  const path = `${pathOf(kind, id)}/references`;
  const { value, ...got } = useRead<References>(path);
  if (!value) return <ReadStatus {...got} />;
  return (
    <div class="columns">
      <ReferenceList
        title="Used by"
        references={value.data.usedBy}
        emptyText="Not used anywhere."
      />
      <ReferenceList
        title="Depends on"
        references={value.data.uses}
        emptyText="Has no dependencies."
      />
    </div>
  );
}
