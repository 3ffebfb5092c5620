import type { FieldSpec } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import { Section } from '../ui/section.tsx';

/** One list of overrides: what is in it, how one is typed in, and what a new one is. */
interface Part<T extends object> {
  place: string;
  items: T[];
  specs: (item: T) => FieldSpec[];
  fresh: () => T;
  onChange: (items: T[]) => void;
}

interface GroupOverridesProps<U extends object, C extends object> {
  units: Part<U>;
  conditions: Part<C>;
  lock: string | undefined;
  errors: Map<string, string>;
}

/** What an override by a condition asks: whether one passes a gate, or is in a segment. */
export const by: FieldSpec = {
  property: 'type',
  label: 'By',
  as: 'choice',
  options: { gate: 'Gate', segment: 'Segment' },
};

/** Units that are in a group whatever the assignment says: by their ids, or by a gate or segment. */
export const GroupOverrides = <U extends object, C extends object>({
  units,
  conditions,
  lock,
  errors,
}: GroupOverridesProps<U, C>) => (
  <div class="stack">
    <Section title="Certain units">
      <Rows
        {...units}
        noun="override"
        none="No unit is put into a group by hand."
        lock={lock}
        errors={errors}
      />
    </Section>
    <Section title="Whoever passes a gate, or is in a segment">
      <Rows {...conditions} noun="condition" none="There are none." lock={lock} errors={errors} />
    </Section>
  </div>
);
