import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { pageOf } from '../../base/history_words.ts';
import type { Experiment } from '../../base/types.ts';
import { ago, dayOf } from '../../base/words.ts';
import { dayLabel, intervalInWords, lift } from '../../charts/format.ts';
import { Key } from '../../charts/sign.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { type Compared, primaryOf } from '../frame/compared.ts';
import { boundsOfInterval } from '../frame/counting.ts';
import { LoadAgain } from '../frame/load_again.tsx';
import type { PulseResults } from '../frame/types.ts';
import { isOwnView, type View } from '../frame/view.ts';
import { confidenceOf } from './situation.ts';
import type { Verdict } from './verdict.ts';

const signs: Record<Verdict['tone'], IconName> = {
  plain: 'chart',
  good: 'check',
  bad: 'alert',
  warn: 'clock',
};

interface VerdictHeadProps {
  verdict: Verdict;
  experiment: Experiment;
  results: PulseResults;
  compared: Compared[];
  view: View;
  setView: (edits: Partial<View>) => void;
  path: string;
}

function Method({ experiment, results, view, setView }: VerdictHeadProps) {
  const [isOpen, setOpen] = useState(false);
  const isBayesian = experiment.analyticsType === 'bayesian';
  const isSequential = view.sequential ? view.sequential === 'true' : experiment.sequentialTesting;
  const { decisionTime } = experiment;
  const parts = [
    ...(decisionTime === null ? [] : [`Results as they were on ${dayOf(decisionTime)}`]),
    results.ds ? `Data to ${dayLabel(Date.parse(results.ds))}` : 'No day loaded yet',
    ...(results.loadedTime ? [`updated ${ago(results.loadedTime)}`] : []),
    `${isBayesian ? 'Bayesian' : 'Frequentist'}, ${confidenceOf(experiment, view)}%`,
    ...(isSequential && !isBayesian ? ['Sequential'] : []),
    ...(view.cuped === 'false' ? [] : ['CUPED']),
    ...(isOwnView(view) ? ['your view'] : []),
  ];
  return (
    <>
      <p class="method">
        {parts.map((part) => (
          <span key={part}>{part}</span>
        ))}
        <button
          class="button button-link"
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Change
        </button>
      </p>
      {isOpen && (
        <div class="method-form">
          <Select
            aria-label="Confidence"
            value={String(confidenceOf(experiment, view))}
            options={Object.fromEntries(
              ['80', '90', '95', '98', '99'].map((one) => [one, `${one}%`]),
            )}
            onChoose={(confidence) =>
              setView({
                confidence:
                  confidence === experiment.defaultConfidenceInterval ? undefined : confidence,
              })
            }
          />
          <Select
            aria-label="CUPED"
            value={view.cuped ?? 'true'}
            options={{ true: 'With CUPED', false: 'Without CUPED' }}
            onChoose={(cuped) => setView({ cuped: cuped === 'true' ? undefined : cuped })}
          />
          <Select
            aria-label="Sequential testing"
            value={view.sequential ?? ''}
            options={{ '': 'As set', true: 'Sequential', false: 'Fixed horizon' }}
            onChoose={(sequential) => setView({ sequential: sequential || undefined })}
          />
          <Select
            aria-label="Corrections"
            value={view.corrections ?? ''}
            options={{ '': 'As set', true: 'Bonferroni', false: 'No Bonferroni' }}
            onChoose={(corrections) => setView({ corrections: corrections || undefined })}
          />
        </div>
      )}
    </>
  );
}

const Numbers = ({ compared }: { compared: Compared[] }) => (
  <ul class="verdict-groups">
    {compared.map(({ id, index, name, results }) => {
      const result = primaryOf(results);
      const bounds = result && boundsOfInterval(result.percentConfidenceInterval);
      return (
        <li key={id}>
          <Key index={index} /> <span class="unseen">{`${name}: `}</span>
          <b>{lift(result?.percentChange)}</b>
          {bounds ? `, ${intervalInWords(bounds.lower, bounds.upper)}` : ''}
        </li>
      );
    })}
  </ul>
);

interface VerdictSectionProps extends Pick<Verdict, 'tone' | 'sentence'> {
  children: ComponentChildren;
}

/** A verdict in words with its sign, above what explains it. */
export const VerdictSection = ({ tone, sentence, children }: VerdictSectionProps) => (
  <section class={`verdict verdict-${tone}`} aria-label="Verdict">
    <span class="verdict-sign">
      <Icon name={signs[tone]} />
    </span>
    <div>
      <p class="verdict-line">{sentence}</p>
      {children}
    </div>
  </section>
);

/** The verdict in words, with its numbers and method. */
export const VerdictHead = (props: VerdictHeadProps) => {
  const { compared, verdict } = props;
  const { tone, sentence, detail, action } = verdict;
  return (
    <VerdictSection tone={tone} sentence={sentence}>
      {compared.length > 1 && <Numbers compared={compared} />}
      <p class="verdict-sub">{detail}</p>
      <Method {...props} />
      {action === 'loadAgain' && <LoadAgain path={props.path} />}
      {action === 'addMetric' && (
        <p>
          <a href={`${pageOf({ path: 'experiments' }, props.experiment.id)}/settings`}>
            Add a primary metric
          </a>
        </p>
      )}
    </VerdictSection>
  );
};
