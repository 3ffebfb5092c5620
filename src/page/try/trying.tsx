import { lazy } from '../lazy.tsx';
import type { Tab } from '../recipe/kind.ts';
import type { Entity } from '../types.ts';
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
