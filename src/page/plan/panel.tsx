import { useState } from 'preact/hooks';
import { isEqual } from '../../base/equal.ts';
import { pageOf } from '../base/history_words.ts';
import { whyNot } from '../base/session.ts';
import type { Experiment } from '../base/types.ts';
import { useRead } from '../base/use.ts';
import { count } from '../base/words.ts';
import { ActionSheet } from '../entity/edit/action.tsx';
import type { Editing, KindPage } from '../entity/kind.ts';
import { experimentActions } from '../experiment/moves.ts';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { checklistOf, type PlanCheck } from './checklist.ts';

const icons: Record<PlanCheck['state'], IconName> = {
  met: 'check',
  warning: 'alert',
  failed: 'close',
};
const stateWords = { met: 'Met: ', warning: 'Warning: ', failed: 'Not met: ' };

interface LineProps {
  check: PlanCheck;
  page: string;
}

function Line({ check: { state, words, detail, link }, page }: LineProps) {
  const href =
    link && ('tab' in link ? `${page}/${link.tab}` : pageOf(kindPath, link.experimentID));
  return (
    <li class={`check2 check2-${state}`}>
      <Icon name={icons[state]} />
      <span>
        <span class="unseen">{stateWords[state]}</span>
        {words}
        {detail && (
          <span class="small">
            {link && 'experimentID' in link && <a href={href}>{link.words}</a>}
            {link && 'experimentID' in link && ': '}
            {`${detail} `}
            {link && 'tab' in link && <a href={href}>{link.words}</a>}
          </span>
        )}
      </span>
    </li>
  );
}

const kindPath = { path: 'experiments' };

function checksSummary(checks: PlanCheck[]): string {
  const failed = checks.filter(({ state }) => state === 'failed').length;
  const met = checks.filter(({ state }) => state === 'met').length;
  const done = `${met} of ${checks.length} done.`;
  if (failed === 0) return done;
  return `${done} ${failed === 1 ? 'One thing' : count(failed, 'thing')} must be fixed.`;
}

function whyNotStart({ stored, value, lock }: Editing<Experiment>, checks: PlanCheck[]) {
  const failed = checks.find(({ state }) => state === 'failed');
  if (failed) return `Not met: ${failed.words}`;
  if (!isEqual(stored, value)) return 'Save or discard your changes first';
  return lock ?? whyNot('write');
}

interface PanelProps {
  kind: KindPage<Experiment>;
  editing: Editing<Experiment>;
}

/** The checklist before the start; a failed check blocks it. */
export function Panel({ kind, editing }: PanelProps) {
  const { stored, value } = editing;
  const [isStarting, setStarting] = useState(false);
  const running = useRead<Experiment[]>('/experiments?status=active&limit=100');
  const checks = checklistOf(value, running.value?.data ?? []);
  const start = experimentActions(stored).find(({ name }) => name === 'start');
  const why = whyNotStart(editing, checks);
  return (
    <aside class="panel" aria-label="Checklist">
      <h2 class="box-title">Before you start</h2>
      <p class="small">{checksSummary(checks)}</p>
      <ul class="checks2">
        {checks.map((check) => (
          <Line key={check.words} check={check} page={pageOf(kind, stored.id)} />
        ))}
      </ul>
      {start && (
        <div class="panel-part panel-buttons">
          <Button look="primary" why={why} onClick={() => setStarting(true)}>
            Start …
          </Button>
          {why && <p class="small">{why}.</p>}
        </div>
      )}
      {start && isStarting && (
        <ActionSheet
          kind={kind}
          entity={stored}
          action={start}
          onClose={() => setStarting(false)}
        />
      )}
    </aside>
  );
}
