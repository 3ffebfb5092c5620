import { kindsIn } from './kinds/all.ts';
import type { Group, KindPage } from './recipe/kind.ts';
import type { IconName } from './ui/icon.tsx';

export interface Link {
  href: string;
  words: string;
  icon: IconName;
  /** The addresses of pages that belong to this link. */
  covers?: string[];
}

const linkTo = ({ path, many, icon }: KindPage): Link => ({ href: `/${path}`, words: many, icon });

const linksIn = (group: Group) => kindsIn(group).map(linkTo);

/** The links of the settings page. */
export const settingsLinks = linksIn('Settings');

/** The side bar. */
export const navigation: { title: string; links: Link[] }[] = [
  {
    title: '',
    links: [
      { href: '/', words: 'Home', icon: 'home' },
      { href: '/changes', words: 'Change set', icon: 'list' },
    ],
  },
  { title: 'Release', links: linksIn('Release') },
  { title: 'Experiment', links: linksIn('Experiment') },
  { title: 'Content', links: linksIn('Content') },
  {
    title: 'Data',
    links: [
      { href: '/events', words: 'Events', icon: 'zap' },
      { href: '/connections', words: 'Connections', icon: 'plug' },
      ...linksIn('Data'),
    ],
  },
  {
    title: 'Admin',
    links: [
      { href: '/audit_logs', words: 'Audit log', icon: 'clock' },
      ...linksIn('Admin'),
      {
        href: '/settings',
        words: 'Settings',
        icon: 'gear',
        covers: settingsLinks.map(({ href }) => href),
      },
    ],
  },
];
