import { Button } from '../ui/button.tsx';
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

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A list of things with the same properties: each in a card of its own. */
export function Rows<T extends object>(props: RowsProps<T>) {
  const { items, noun, specs, onChange, fresh, lock, errors, place, none } = props;
  const { follow = (item: T) => item } = props;
  const change = (index: number, item: T, property: string, value: unknown) =>
    onChange(items.with(index, follow(Object.assign({}, item, { [property]: value }), property)));
  return (
    <div class="rows">
      {items.length === 0 && <p class="quiet">{none}</p>}
      <ul class="rows-list">
        {items.map((item, index) => (
          <li key={index} class="card">
            <div class="card-head">
              <p class="card-title">
                {props.hasSeries && <span class={`swatch series-${index % 6}`} />}
                {`${capital(noun)} ${index + 1}`}
              </p>
              {lock === undefined && (
                <Button
                  look="icon"
                  icon="trash"
                  label={`Remove ${noun} ${index + 1}`}
                  onClick={() => onChange(items.toSpliced(index, 1))}
                />
              )}
            </div>
            <Fields
              specs={specs(item)}
              values={item}
              lock={lock}
              errors={within(errors, `${place}.${index}.`)}
              onChange={(property, value) => change(index, item, property, value)}
            />
          </li>
        ))}
      </ul>
      {lock === undefined && (
        <Button icon="add" onClick={() => onChange([...items, fresh()])}>
          {`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
        </Button>
      )}
    </div>
  );
}
