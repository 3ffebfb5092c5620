import { times } from '../../engine/evaluation/condition_table.ts';
import {
  environmentsInWords,
  isOfEveryone,
  operatorName,
  typeInWords,
} from '../base/rule_words.ts';
import type { Condition } from '../base/types.ts';
import { capital, count, moment } from '../base/words.ts';
import type { EditedRule } from '../rules/rule.tsx';

const maxValues = 8;

const Chip = ({ text }: { text: string }) => (
  <bdi class="chip" title={text}>
    {text}
  </bdi>
);

function Values({ operator = '', targetValue }: Condition) {
  const all = [targetValue ?? []].flat();
  const isTime = [...times, 'on'].includes(operator);
  return (
    <>
      {all.slice(0, maxValues).map((value) => (
        <span key={String(value)}>
          {' '}
          <Chip text={isTime ? moment(value) : String(value)} />
        </span>
      ))}
      {all.length > maxValues && ` and ${all.length - maxValues} more`}
      {all.length === 0 && !/null|^$/.test(operator) && ' nothing yet'}
    </>
  );
}

function ConditionPhrase({ condition }: { condition: Condition }) {
  const { type, operator = '', field, customID } = condition;
  if (type === 'public') return <>Everyone</>;
  const subject = field ?? customID ?? capital(typeInWords(type));
  return (
    <>
      <Chip text={subject} />
      {operator && ` ${operatorName(operator).replace(/^version /, '')}`}
      {!/null/.test(operator) && <Values {...condition} />}
    </>
  );
}

export const RuleSentence = ({ rule }: { rule: EditedRule }) => {
  const { conditions, environments } = rule;
  const named = conditions.filter(({ type }) => type !== 'public');
  return (
    <p class="rule2-if">
      {isOfEveryone({ ...rule, environments: null })
        ? 'Everyone'
        : named.map((condition, index) => (
            <span key={index}>
              {index > 0 && ' and '}
              <ConditionPhrase condition={condition} />
            </span>
          ))}
      {environments && `, in ${environmentsInWords(environments)}`}
    </p>
  );
};

/** Returns "Employees first, and 25% of DACH"; the names of at most two rules. */
export function whoPasses(rules: readonly EditedRule[]): string {
  const passing = rules.filter(({ passPercentage }) => passPercentage > 0);
  const named = passing
    .slice(0, 2)
    .map(({ name, passPercentage }) =>
      passPercentage === 100 ? name : `${passPercentage}% of ${name}`,
    );
  const rest = passing.length - named.length;
  if (named.length === 0) return 'No one';
  return [named.join(', and '), ...(rest > 0 ? [count(rest, 'more rule')] : [])].join(', ');
}
