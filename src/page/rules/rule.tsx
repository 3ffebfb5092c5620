import { useRef, useState } from 'preact/hooks';
import { focusOnLast } from '../base/keyboard.ts';
import { environmentsInWords } from '../base/rule_words.ts';
import type { Condition, Rule } from '../base/types.ts';
import { errorBelow, errorOf } from '../entity/edit/fields.tsx';
import { NumberInput } from '../entity/edit/input.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Remove } from '../ui/remove.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { ConditionRow, emptyCondition } from './condition.tsx';

export type EditedRule = Omit<Rule, 'id' | 'baseID'> & Partial<Pick<Rule, 'id' | 'baseID'>>;

export interface RuleCardProps {
  rule: EditedRule;
  index: number;
  last: number;
  returns: boolean;
  isWhole: boolean;
  errors: Map<string, string>;
  onChange: (rule: EditedRule) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** `content-visibility` would collapse a rule on blur and move the control under the pointer. */
const stay = ({ currentTarget }: { currentTarget: HTMLElement }) => {
  currentTarget.style.contentVisibility = 'visible';
};

export function RuleCard(props: RuleCardProps) {
  const [hasShare] = useState(!props.isWhole || props.rule.passPercentage !== 100);
  return (
    <div class="rule" onFocusIn={stay}>
      <RuleHead {...props} />
      <Conditions {...props} />
      <div class="rule-share">
        {hasShare && <ShareOfRule {...props} />}
        <Where {...props} />
      </div>
      {props.returns && <Returned {...props} />}
    </div>
  );
}

function RuleHead({ rule, index, last, errors, onChange, onMove, onRemove }: RuleCardProps) {
  const nth = `rule ${index + 1}`;
  return (
    <div class="rule-head">
      <span class="rule-number" aria-hidden="true">
        {index + 1}
      </span>
      <Field label={`Name of ${nth}`} unseen error={errors.get('name')}>
        {(attributes) => (
          <TextInput
            {...attributes}
            class="rule-name"
            value={rule.name}
            onText={(name) => onChange({ ...rule, name })}
          />
        )}
      </Field>
      <Button
        look="icon"
        icon="arrowUp"
        label={`Move ${nth} up`}
        why={index === 0 ? 'Already first' : undefined}
        onClick={() => onMove(index - 1)}
      />
      <Button
        look="icon"
        icon="arrowDown"
        label={`Move ${nth} down`}
        why={index === last ? 'Already last' : undefined}
        onClick={() => onMove(index + 1)}
      />
      <Remove what={nth} onRemove={onRemove} />
    </div>
  );
}

export const RuleValues = lazy(
  () => import('../values/chunk.ts').then((script) => script.RuleValues),
  2,
);

const Returned = ({ rule, errors, onChange }: RuleCardProps) => (
  <div class="rule-value">
    <RuleValues
      value={rule}
      errors={errors}
      set={(edits) => onChange(withVariants(Object.assign({}, rule, edits)))}
    />
  </div>
);

const withVariants = ({ variants = [], ...rule }: EditedRule) =>
  variants.length > 0 ? { ...rule, variants } : rule;

function Conditions({ rule, index: place, errors, onChange }: RuleCardProps) {
  const { conditions } = rule;
  const set = (next: Condition[]) => onChange({ ...rule, conditions: next });
  const list = useRef<HTMLUListElement>(null);
  const add = () => {
    set([...conditions, emptyCondition('user_id')]);
    focusOnLast(list.current);
  };
  return (
    <div class="conditions">
      <ul class="conditions-list" aria-label={`Conditions of rule ${place + 1}`} ref={list}>
        {conditions.map((condition, index) => (
          <ConditionRow
            key={index}
            condition={condition}
            index={index}
            error={errorBelow(`conditions.${index}`, errors)}
            onChange={(next) => set(conditions.with(index, next))}
            onRemove={conditions.length > 1 ? () => set(conditions.toSpliced(index, 1)) : undefined}
          />
        ))}
      </ul>
      <Button look="link" icon="add" onClick={add}>
        Condition
      </Button>
    </div>
  );
}

const share = { property: 'passPercentage', as: 'number' as const };

function ShareOfRule({ rule, index, errors, onChange }: RuleCardProps) {
  const nth = `rule ${index + 1}`;
  const percent = Number(rule.passPercentage) || 0;
  return (
    <>
      <span class="condition-if">then</span>
      <Field
        label={`Pass percentage of ${nth}`}
        unseen
        error={errorOf(share, rule.passPercentage, errors)}
      >
        {(attributes) => (
          <NumberInput
            attributes={attributes}
            className="input input-share"
            unit="%"
            value={rule.passPercentage}
            onChange={(value) => onChange(Object.assign({}, rule, { passPercentage: value }))}
          />
        )}
      </Field>
      <span class="rule-words" aria-hidden="true">
        % pass
      </span>
      <input
        class="slider"
        type="range"
        min="0"
        max="100"
        aria-label={`Pass percentage of ${nth}, as a slider`}
        style={{ '--filled': `${percent}%` }}
        value={percent}
        onInput={({ currentTarget }) =>
          onChange({ ...rule, passPercentage: Number(currentTarget.value) })
        }
      />
    </>
  );
}

const Where = ({ rule, index, onChange }: RuleCardProps) => (
  <div class="rule-where">
    <span class="rule-words">in</span>
    <Field label={`Environments of rule ${index + 1}`} unseen>
      {(attributes) => (
        <Tokens
          attributes={attributes}
          values={rule.environments ?? []}
          names="environments"
          placeholder={environmentsInWords(rule.environments)}
          onChange={(values) =>
            onChange({ ...rule, environments: values.length > 0 ? values : null })
          }
        />
      )}
    </Field>
  </div>
);
