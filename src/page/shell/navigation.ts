import type { KindGroup, KindPage } from '../entity/kind.ts';
import { kindsIn } from '../kinds/all.ts';
import type { IconName } from '../ui/icon.tsx';

export interface Link {
  href: string;
  words: string;
  icon: IconName;
  covers?: string[];
  below?: Link[];
}

const linkTo = ({ path, many, icon }: KindPage): Link => ({ href: `/${path}`, words: many, icon });

const linksIn = (group: KindGroup) => kindsIn(group).map(linkTo);

export const settingsLinks = linksIn('Settings');

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
    links: linksIn('Flags').map((link) =>
      link.href === '/releases' ? { ...link, below: linksIn('Releases') } : link,
    ),
  },
  { title: 'Experiments', links: linksIn('Experiments') },
  {
    title: 'Data',
    links: [
      { href: '/events', words: 'Events', icon: 'zap' },
      { href: '/connections', words: 'Connections', icon: 'plug', below: linksIn('Connections') },
    ],
  },
  {
    title: '',
    links: [
      {
        href: '/settings',
        words: 'Settings and admin',
        icon: 'gear',
        covers: settingsLinks.map(({ href }) => href),
        below: [{ href: '/audit_logs', words: 'Audit log', icon: 'clock' }, ...linksIn('Admin')],
      },
    ],
  },
];

export const links = navigation.flatMap((group) =>
  group.links.flatMap((link) => [link, ...(link.below ?? [])]),
);
