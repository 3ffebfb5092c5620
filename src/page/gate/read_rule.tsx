import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { percent } from '../base/words.ts';
import { countOf } from '../charts/format.ts';
import type { EditedRule } from '../rules/rule.tsx';
import { Icon } from '../ui/icon.tsx';
import { RuleSentence } from './sentence.tsx';

const RuleShare = ({ share }: { share: unknown }) => (
  <div class="rule2-share">
    <b>{percent(share)}</b>
    <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="meter-ground" width="100" height="6" />
      <rect class="meter-good" width={Math.min(Math.max(Number(share) || 0, 0), 100)} height="6" />
    </svg>
  </div>
);

const Use = ({ count, words }: { count: number | undefined; words: string }) => (
  <div class="rule2-use">
    {count !== undefined && (
      <>
        <span>{countOf(count)}</span>
        <span class="small">{words}</span>
      </>
    )}
  </div>
);

interface ReadRuleProps {
  rule: EditedRule;
  index: number;
  passes: number | undefined;
  lift: ComponentChildren;
  lock: string | undefined;
  isChanged: boolean;
  hasErrors: boolean;
  children: ComponentChildren;
}

/** A rule as a sentence, whose fields open in place. */
export function ReadRule({
  rule,
  index,
  passes,
  lift,
  lock,
  isChanged,
  hasErrors,
  children,
}: ReadRuleProps) {
  const [isChosen, setChosen] = useState(isChanged);
  const fields = useId();
  const isOpen = lock === undefined && (isChosen || hasErrors);
  return (
    <li class={isOpen ? 'rule2 rule2-open' : 'rule2'}>
      <span class="rule-number" aria-hidden="true">
        {index + 1}
      </span>
      <div class="rule2-words">
        <h3 class="rule2-name">
          {lock === undefined ? (
            <button
              class="rule2-button"
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? fields : undefined}
              onClick={() => setChosen(!isOpen)}
            >
              <span class="unseen">{`Rule ${index + 1}: `}</span>
              {rule.name}
            </button>
          ) : (
            rule.name
          )}
        </h3>
        <RuleSentence rule={rule} />
        {lock && (
          <p class="rule2-lock small">
            <Icon name="key" />
            {lock}
          </p>
        )}
      </div>
      <RuleShare share={rule.passPercentage} />
      <Use count={passes} words="passed, 24 h" />
      <span class="rule2-go">{lock === undefined && <Icon name="right" />}</span>
      {lift}
      {isOpen && (
        <div class="rule2-fields" id={fields}>
          {children}
        </div>
      )}
    </li>
  );
}

/** The users whom no rule passes. */
export const EveryoneElse = ({ fails }: { fails: number | undefined }) => (
  <div class="rule2 rule2-else">
    <span class="rule-number" aria-hidden="true">
      ∗
    </span>
    <p class="rule2-name">Everyone else</p>
    <div class="rule2-share">
      <b>Off</b>
    </div>
    <Use count={fails} words="did not pass, 24 h" />
    <span />
  </div>
);
