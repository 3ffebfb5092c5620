import { Rows, type RowsProps } from '../entity/edit/rows.tsx';
import type { Edited, FieldSpec } from '../entity/kind.ts';
import { Section } from '../ui/section.tsx';

type RowsPart<O extends object, P extends keyof O & string> = Pick<
  RowsProps<O, P>,
  'property' | 'specs' | 'fresh'
>;

interface GroupOverridesProps<
  O extends object,
  U extends keyof O & string,
  C extends keyof O & string,
> {
  overrides: Edited<O>;
  units: RowsPart<O, U>;
  conditions: RowsPart<O, C>;
}

export const by: FieldSpec = {
  property: 'type',
  label: 'By',
  as: 'choice',
  options: { gate: 'Gate', segment: 'Segment' },
};

/** Edits overrides into groups, by unit ID and by gate or segment. */
export const GroupOverrides = <
  O extends object,
  U extends keyof O & string,
  C extends keyof O & string,
>({
  overrides,
  units,
  conditions,
}: GroupOverridesProps<O, U, C>) => (
  <div class="stack">
    <Section title="By ID">
      <Rows {...overrides} {...units} noun="override" none="None yet." />
    </Section>
    <Section title="By gate or segment">
      <Rows {...overrides} {...conditions} noun="condition" none="None yet." />
    </Section>
  </div>
);
