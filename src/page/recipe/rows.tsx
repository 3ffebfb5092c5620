import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { focusOnLast } from '../keyboard.ts';
import { Swatch } from '../ui/bar.tsx';
import { Button } from '../ui/button.tsx';
import { Remove } from '../ui/remove.tsx';
import { capital } from '../words.ts';
import { Fields, within } from './fields.tsx';
import type { FieldSpec } from './kind.ts';

interface RowsProps<T extends object> {
  items: T[];
  noun: string;
  /** The fields of an item, which may follow from what it is. */
  specs: (item: T) => FieldSpec[];
  onChange: (items: T[]) => void;
  fresh: () => T;
  lock: string | undefined;
  errors: Map<string, string>;
  /** Where the items are in the body. */
  place: string;
  none: string;
  /** Whether each has a colour of its own in the picture above them. */
  hasSeries?: boolean;
  /** What a change of one property brings with it. */
  follow?: (item: T, property: string) => T;
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
export function Rows<T extends object>(props: RowsProps<T>) {
  const { items, noun, specs, onChange, fresh, lock, errors, place, none } = props;
  const { hasSeries, follow = (item: T) => item } = props;
  const list = useRef<HTMLUListElement>(null);
  const add = () => {
    onChange([...items, fresh()]);
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
            onRemove={lock === undefined ? () => onChange(items.toSpliced(index, 1)) : undefined}
          >
            <Fields
              specs={specs(item)}
              values={item}
              lock={lock}
              errors={within(errors, `${place}.${index}.`)}
              onChange={(property, value) => {
                const changed = Object.assign({}, item, { [property]: value });
                onChange(items.with(index, follow(changed, property)));
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
