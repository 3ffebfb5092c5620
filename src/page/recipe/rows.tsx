import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { focusOnLast } from '../keyboard.ts';
import { Swatch } from '../ui/bar.tsx';
import { Button } from '../ui/button.tsx';
import { Remove } from '../ui/remove.tsx';
import { capital } from '../words.ts';
import { Fields, within } from './fields.tsx';
import type { Edited, FieldSpec, Values } from './kind.ts';

/** What stands in a list that is a property. */
type Item<V, P extends keyof V> = V[P] extends (infer T extends object)[] | undefined ? T : never;

export interface RowsProps<V extends object, P extends keyof V & string> extends Edited<V> {
  /** Where the list is. */
  property: P;
  noun: string;
  /** The fields of an item, which may follow from what it is. */
  specs: (item: Item<V, P>) => FieldSpec[];
  fresh: () => Item<V, P>;
  none: string;
  /** Whether each has a colour of its own in the picture above them. */
  hasSeries?: boolean;
  /** An item as it is after a change of some properties, with what that brings with it. */
  follow?: (item: Item<V, P>, changed: Values) => Item<V, P>;
}

interface CardProps {
  /** The noun of the item, and which it is. */
  title: string;
  /** The colour that it has of its own. */
  series: number | undefined;
  onRemove: (() => void) | undefined;
  children: ComponentChildren;
}

const Card = ({ title, series, onRemove, children }: CardProps) => (
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

/** A list of things with the same properties: each in a card of its own. */
export function Rows<V extends object, P extends keyof V & string>(props: RowsProps<V, P>) {
  const { value, property, set, lock, errors, noun, specs, fresh, none, hasSeries, follow } = props;
  const items: Item<V, P>[] = Object(value)[property] ?? [];
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
          <Card
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
          </Card>
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
