import type { KindPage } from './kind.ts';

interface CrumbProps {
  kind: Pick<KindPage, 'path' | 'many' | 'group'>;
  ofOne: boolean;
}

/** The link to the parent page, unless the navigation contains it. */
export function Crumb({ kind, ofOne }: CrumbProps) {
  if (!ofOne && kind.group !== 'Settings') return null;
  return (
    <p class="crumb">
      <a class="crumb-link" href={ofOne ? `/${kind.path}` : '/settings'}>
        {ofOne ? kind.many : 'Settings'}
      </a>
    </p>
  );
}
