import { kindAt } from './kinds/all.ts';
import type { IconName } from './ui/icon.tsx';

export interface Link {
  href: string;
  words: string;
  icon: IconName;
}

const of = (path: string): Link => {
  const kind = kindAt(path);
  return { href: `/${path}`, words: kind?.many ?? path, icon: kind?.icon ?? 'dot' };
};

/** What stands in the side bar. */
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
    ].map(of),
  },
  {
    title: 'Experiment',
    links: ['experiments', 'layers', 'holdouts', 'autotunes', 'metrics'].map(of),
  },
  { title: 'Content', links: [of('prompts')] },
  {
    title: 'Data',
    links: [
      { href: '/events', words: 'Events', icon: 'zap' },
      { href: '/connections', words: 'Connections', icon: 'plug' },
      of('assignment_sources'),
    ],
  },
  {
    title: 'Names',
    links: ['environments', 'tags', 'unit_id_types', 'target_apps', 'teams'].map(of),
  },
  {
    title: 'Admin',
    links: [
      { href: '/audit_logs', words: 'Audit log', icon: 'clock' },
      ...['keys', 'users', 'webhooks', 'company'].map(of),
    ],
  },
];
