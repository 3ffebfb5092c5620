import { get } from '../base/api.ts';
import { problemOf } from '../base/problems.ts';
import { ownName } from '../base/session.ts';
import type { Key } from '../base/types.ts';
import { useGet, useStored } from '../base/use.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Box } from './box.tsx';

interface FirstStep {
  href: string;
  title: string;
  text: string;
  isDone(): Promise<boolean>;
}

const hasAny = async (path: string) => (await get<unknown[]>(path)).pagination.totalItems > 0;

const steps: FirstStep[] = [
  {
    href: '/gates',
    title: 'Create a gate',
    text: 'It turns a feature on for a share of everyone, certain users or a segment.',
    isDone: () => hasAny('/gates?limit=1'),
  },
  {
    href: '/keys',
    title: 'Create a key for an application',
    text: 'An application evaluates gates with a server or client key.',
    isDone: async () => {
      const { data } = await get<Key[]>('/keys?limit=100');
      return data.some(({ type }) => type !== 'CONSOLE');
    },
  },
  {
    href: '/events',
    title: 'Send an event',
    text: 'Metrics are computed from the events of applications.',
    isDone: () => hasAny('/events?limit=1'),
  },
  {
    href: '/experiments',
    title: 'Start an experiment',
    text: 'It gives groups of users different values and compares their metrics.',
    isDone: () =>
      hasAny(
        '/experiments?limit=1&status=active&status=assignment_stopped&status=experiment_stopped&status=decision_made&status=abandoned',
      ),
  },
];

async function readSteps(): Promise<{ step: FirstStep; isDone: boolean }[]> {
  const found = await Promise.all(
    steps.map(async (step) => {
      try {
        return [{ step, isDone: await step.isDone() }];
      } catch (error) {
        if (problemOf(error).status === 403) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

/** The first steps in a project, ticked as they are done. Hidden when all are, or by a button. */
export function FirstSteps() {
  const [hidden, setHidden] = useStored(ownName('first steps'), '');
  const { value = [] } = useGet(hidden ? '' : 'first steps', readSteps);
  const done = value.filter(({ isDone }) => isDone).length;
  if (hidden || done === value.length) return null;
  return (
    <Box
      title="First steps"
      note={`${done} of ${value.length}`}
      side={
        <Button look="link" label="Hide first steps" onClick={() => setHidden('hidden')}>
          Hide
        </Button>
      }
    >
      <ol class="acts">
        {value.map(({ step: { href, title, text }, isDone }) => (
          <li key={href} class="act">
            <span class={`act-sign ${isDone ? 'act-good' : ''}`}>
              <Icon name={isDone ? 'check' : 'dot'} />
            </span>
            <div class="act-words">
              <strong>{isDone ? title : <a href={href}>{title}</a>}</strong>
              <span class="quiet">{isDone ? 'Done' : text}</span>
            </div>
          </li>
        ))}
      </ol>
      <p class="box-none">
        Everything here is also in the API:{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
      </p>
    </Box>
  );
}
