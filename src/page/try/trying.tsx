import type { Entity } from '../base/types.ts';
import type { Tab } from '../entity/kind.ts';
import { lazy } from '../ui/lazy.tsx';
import type { ExplainProps } from './explain.tsx';

const Explain = lazy(() => import('./explain.tsx').then((script) => script.Explain));

/** Returns the tab that evaluates the saved version for a user. */
export const trying = <E extends Entity & { status?: string }>(
  kind: ExplainProps['kind'],
): Tab<E> => ({
  path: 'try',
  title: 'Try it',
  View: ({ editing: { stored } }) => (
    <Explain kind={kind} id={stored.id} isInSetup={stored.status === 'setup'} />
  ),
});
