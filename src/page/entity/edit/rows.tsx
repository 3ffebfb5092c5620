import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { focusOnLast } from '../../base/keyboard.ts';
import { capital } from '../../base/words.ts';
import { Swatch } from '../../ui/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Remove } from '../../ui/remove.tsx';
import type { Edited, EntityValues, FieldSpec } from '../kind.ts';
import { Fields, within } from './fields.tsx';

type Item<V, P extends keyof V> = V[P] extends (infer T extends object)[] | undefined ? T : never;

const isItems = <V, P extends keyof V>(list: unknown): list is Item<V, P>[] => Array.isArray(list);

export interface RowsProps<V extends object, P extends keyof V & string> extends Edited<V> {
  property: P;
  noun: string;
  specs: (item: Item<V, P>) => FieldSpec[];
  fresh: () => Item<V, P>;
  none: string;
  hasSeries?: boolean;
  follow?: (item: Item<V, P>, changed: EntityValues) => Item<V, P>;
}

interface ItemCardProps {
  title: string;
  series: number | undefined;
  onRemove: (() => void) | undefined;
  children: ComponentChildren;
}

const ItemCard = ({ title, series, onRemove, children }: ItemCardProps) => (
  <li class="card">
    <div class="card-head">
      <p class="card-title">
        {series !== undefined && <Swatch series={series} />}
        {capital(title)}
      </p>
      {onRemove && <Remove what={title} onRemove={onRemove} />}
    </div>
    {children}
  </li>
);

/** Edits a list of objects, each in a card. */
export function Rows<V extends object, P extends keyof V & string>(props: RowsProps<V, P>) {
  const { value, property, set, lock, errors, noun, specs, fresh, none, hasSeries, follow } = props;
  const stored = value[property];
  const items: Item<V, P>[] = isItems<V, P>(stored) ? stored : [];
  const list = useRef<HTMLUListElement>(null);
  const change = (next: Item<V, P>[]) => set({ [property]: next });
  const add = () => {
    change([...items, fresh()]);
    focusOnLast(list.current);
  };
  return (
    <div class="rows">
      {items.length === 0 && <p class="quiet">{none}</p>}
      <ul class="rows-list" ref={list}>
        {items.map((item, index) => (
          <ItemCard
            key={index}
            title={`${noun} ${index + 1}`}
            series={hasSeries ? index : undefined}
            onRemove={lock === undefined ? () => change(items.toSpliced(index, 1)) : undefined}
          >
            <Fields
              specs={specs(item)}
              value={item}
              lock={lock}
              errors={within(errors, `${property}.${index}.`)}
              set={(edits) => {
                const next = Object.assign({}, item, edits);
                change(items.with(index, follow?.(next, edits) ?? next));
              }}
            />
          </ItemCard>
        ))}
      </ul>
      {lock === undefined && (
        <Button icon="add" onClick={add}>
          {`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
        </Button>
      )}
    </div>
  );
}
