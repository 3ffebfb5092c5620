import { kindAt } from './kinds/all.ts';
import { named } from './named.ts';
import type { IconName } from './ui/icon.tsx';

export interface Link {
  href: string;
  words: string;
  icon: IconName;
  /** Paths of resources that belong to this link. */
  covers?: string[];
  /** Links that are displayed below it while it is current. */
  below?: Link[];
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
    title: 'Flags',
    links: [
      ...['gates', 'dynamic_configs', 'param_stores', 'segments'].map(linkOf),
      { ...linkOf('releases'), below: [linkOf('release_pipelines')] },
      linkOf('prompts'),
    ],
  },
  {
    title: 'Experiments',
    links: ['experiments', 'autotunes', 'metrics', 'layers', 'holdouts'].map(linkOf),
  },
  {
    title: 'Data',
    links: [
      { href: '/events', words: 'Events', icon: 'zap' },
      {
        href: '/connections',
        words: 'Connections',
        icon: 'plug',
        below: [linkOf('assignment_sources')],
      },
    ],
  },
  {
    title: '',
    links: [
      {
        href: '/settings',
        words: 'Settings and admin',
        icon: 'gear',
        covers: named,
        below: [
          { href: '/audit_logs', words: 'Audit log', icon: 'clock' },
          linkOf('keys'),
          linkOf('webhooks'),
        ],
      },
    ],
  },
];

/** All links of the side bar. */
export const links = navigation.flatMap((group) =>
  group.links.flatMap((link) => [link, ...(link.below ?? [])]),
);
