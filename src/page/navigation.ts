import { kindAt } from './kinds/all.ts';
import { named } from './named.ts';
import type { IconName } from './ui/icon.tsx';

export interface Link {
  href: string;
  words: string;
  icon: IconName;
  /** Paths of resources that belong to this link. */
  covers?: string[];
}

/** Returns the link to a resource. */
export const linkOf = (path: string): Link => {
  const kind = kindAt(path);
  return { href: `/${path}`, words: kind?.many ?? path, icon: kind?.icon ?? 'dot' };
};

/** The side bar. */
export const navigation: { title: string; links: Link[] }[] = [
  {
    title: '',
    links: [
      { href: '/', words: 'Home', icon: 'home' },
      { href: '/changes', words: 'Change set', icon: 'list' },
    ],
  },
  {
    title: 'Release',
    links: [
      'gates',
      'dynamic_configs',
      'param_stores',
      'segments',
      'releases',
      'release_pipelines',
    ].map(linkOf),
  },
  {
    title: 'Experiment',
    links: ['experiments', 'layers', 'holdouts', 'autotunes', 'metrics'].map(linkOf),
  },
  { title: 'Content', links: [linkOf('prompts')] },
  {
    title: 'Data',
    links: [
      { href: '/events', words: 'Events', icon: 'zap' },
      { href: '/connections', words: 'Connections', icon: 'plug' },
      linkOf('assignment_sources'),
    ],
  },
  {
    title: 'Admin',
    links: [
      { href: '/audit_logs', words: 'Audit log', icon: 'clock' },
      linkOf('keys'),
      linkOf('webhooks'),
      { href: '/settings', words: 'Settings', icon: 'gear', covers: named },
    ],
  },
];
