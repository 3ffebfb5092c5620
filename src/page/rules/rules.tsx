import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { randomID } from '../base/api.ts';
import { focusOnLast } from '../base/keyboard.ts';
import { ruleInWords } from '../base/rule_words.ts';
import type { Condition } from '../base/types.ts';
import { within } from '../entity/edit/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { emptyCondition } from './condition.tsx';
import { type EditedRule, RuleCard, type RuleCardProps, RuleValues } from './rule.tsx';

export interface FrameProps {
  rule: EditedRule;
  index: number;
  hasErrors: boolean;
  card: ComponentChildren;
}

export interface RulesProps<R extends EditedRule> {
  rules: R[];
  onChange: (rules: R[]) => void;
  lock?: string;
  errors?: Map<string, string>;
  place?: string;
  otherwise: ComponentChildren;
  whole: (rule: EditedRule) => R;
  returns?: boolean;
  isWhole?: boolean;
  frame?: (props: FrameProps) => ComponentChildren;
}

interface Beginning {
  name: string;
  share: number;
  condition: Condition;
}

const beginnings: Beginning[] = [
  { name: 'A share of everyone', share: 10, condition: emptyCondition('public') },
  { name: 'Certain users', share: 100, condition: emptyCondition('user_id') },
  { name: 'A segment', share: 100, condition: emptyCondition('passes_segment') },
];

function freeName(wanted: string, rules: EditedRule[]): string {
  const taken = new Set(rules.map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} ${n}`;
  return name;
}

/** Returns a rule with a new ID unless it has one. */
export const withID = (rule: EditedRule) => {
  const id = rule.id ?? randomID();
  return { ...rule, id, baseID: rule.baseID ?? id };
};

/** Edits rules, or displays them if locked. */
export const Rules = <R extends EditedRule>(props: RulesProps<R>) =>
  props.lock === undefined || props.frame ? (
    <EditedRules {...props} />
  ) : (
    <ReadRules rules={props.rules} otherwise={props.otherwise} />
  );

function useChanges<R extends EditedRule>(props: RulesProps<R>) {
  const latest = useRef(props);
  latest.current = props;
  return useMemo(() => {
    const set = (next: (rules: R[]) => R[]) => latest.current.onChange(next(latest.current.rules));
    return {
      change: (index: number, rule: EditedRule) =>
        set((rules) => rules.with(index, latest.current.whole(rule))),
      move: (from: number, to: number) =>
        set((rules) => rules.toSpliced(from, 1).toSpliced(to, 0, ...rules.slice(from, from + 1))),
      remove: (index: number) => set((rules) => rules.toSpliced(index, 1)),
    };
  }, []);
}

type OneRuleProps = Pick<RuleCardProps, 'rule' | 'index' | 'last' | 'returns' | 'isWhole'> & {
  frame: RulesProps<EditedRule>['frame'];
  errors: Map<string, string> | undefined;
  place: string;
  changes: ReturnType<typeof useChanges>;
};

/** Memoized, so that typing in one of many rules rerenders only that rule. */
function OneRule(props: OneRuleProps) {
  const { rule, index, errors, place, changes, frame } = props;
  return useMemo(() => {
    const own = within(errors, `${place}.${index}.`);
    const card = (
      <RuleCard
        {...props}
        errors={own}
        onChange={(next) => changes.change(index, next)}
        onMove={(to) => changes.move(index, to)}
        onRemove={() => changes.remove(index)}
      />
    );
    return frame ? frame({ rule, index, hasErrors: own.size > 0, card }) : <li>{card}</li>;
  }, Object.values(props));
}

function EditedRules<R extends EditedRule>(props: RulesProps<R>) {
  const { rules, onChange, errors, place = 'rules', whole, returns = false } = props;
  const { isWhole = false, frame, lock } = props;
  const changes = useChanges(props);
  const list = useRef<HTMLOListElement>(null);
  const add = ({ name, share, condition }: Beginning) => {
    const rule = { name: freeName(name, rules), passPercentage: share, conditions: [condition] };
    onChange([...rules, whole({ ...rule, environments: null })]);
    focusOnLast(list.current, share === 100 ? '.condition-target input' : '.input-share');
  };
  return (
    <div class="rules">
      {rules.length > 0 && !frame && (
        <p class="quiet">Rules are checked from top to bottom; the first match wins.</p>
      )}
      <ol class="rules-list" ref={list}>
        {rules.map((rule, index) => (
          <OneRule
            key={rule.id ?? index}
            rule={rule}
            index={index}
            last={rules.length - 1}
            returns={returns}
            isWhole={isWhole}
            errors={errors}
            place={place}
            changes={changes}
            frame={frame}
          />
        ))}
      </ol>
      {frame && props.otherwise}
      {lock === undefined && (
        <Additions beginnings={beginnings.slice(isWhole ? 1 : 0)} onAdd={add} />
      )}
      {!frame && <Otherwise>{props.otherwise}</Otherwise>}
    </div>
  );
}

interface AdditionsProps {
  beginnings: Beginning[];
  onAdd: (beginning: Beginning) => void;
}

const Additions = ({ beginnings, onAdd }: AdditionsProps) => (
  <div class="rules-add">
    <span class="quiet">Add a rule for</span>
    {beginnings.map((beginning) => (
      <Button key={beginning.name} icon="add" onClick={() => onAdd(beginning)}>
        {beginning.name}
      </Button>
    ))}
  </div>
);

const Otherwise = ({ children }: { children: ComponentChildren }) => (
  <p class="otherwise">
    <span class="quiet">Everyone else:</span> {children}
  </p>
);

const ReadRules = ({ rules, otherwise }: { rules: EditedRule[]; otherwise: ComponentChildren }) => (
  <div class="rules">
    {rules.length === 0 && <Empty title="No rules." />}
    <ol class="rules-list">
      {rules.map((rule, index) => (
        <li key={rule.id ?? index} class="rule rule-read">
          <p class="rule-title">
            <span class="rule-number">{index + 1}</span> <strong>{rule.name}</strong>
          </p>
          <p>{ruleInWords(rule)}</p>
          {rule.returnValue && <RuleValues value={rule} lock="read" set={() => undefined} />}
        </li>
      ))}
    </ol>
    <Otherwise>{otherwise}</Otherwise>
  </div>
);
