import { named } from '../named.ts';
import type { Kind } from './kind.ts';

interface CrumbProps {
  kind: Pick<Kind, 'path' | 'many'>;
  /** Whether it stands on the page of one of the kind, rather than of all. */
  ofOne: boolean;
}

/** The way back from a page to what it is one of; nothing where that is in the navigation. */
export function Crumb({ kind, ofOne }: CrumbProps) {
  if (!ofOne && !named.includes(kind.path)) return null;
  return (
    <p class="crumb">
      <a class="crumb-link" href={ofOne ? `/${kind.path}` : '/settings'}>
        {ofOne ? kind.many : 'Settings'}
      </a>
    </p>
  );
}
