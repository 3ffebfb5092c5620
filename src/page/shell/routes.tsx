import type { ComponentChildren } from 'preact';
import { decodedStep, useLocation } from '../base/location.ts';
import { useTitle } from '../base/title.ts';
import { EntityPage, tabsOfPage } from '../entity/entity.tsx';
import { List } from '../entity/list/list.tsx';
import { kindAt } from '../kinds/all.ts';
import { Empty } from '../ui/empty.tsx';
import { lazy } from '../ui/lazy.tsx';
import { PageHead } from '../ui/page_head.tsx';

function NoPage() {
  useTitle('Page not found');
  return (
    <>
      <PageHead title="Page not found" />
      <Empty title="There is no page at this address.">
        <p>Its name may have changed.</p>
        <p>
          <a href="/">Home</a>
        </p>
      </Empty>
    </>
  );
}

const Home = lazy(() => import('../overview/home.tsx').then((script) => script.Home));

const pages = () => import('../project/chunk.ts');

const ownPages: Record<string, (props: object) => ComponentChildren> = {
  '/': Home,
  '/audit_logs': lazy(() => pages().then(({ AuditLog }) => AuditLog)),
  '/changes': lazy(() => pages().then(({ ChangeSet }) => ChangeSet)),
  '/connections': lazy(() => pages().then(({ Connections }) => Connections)),
  '/events': lazy(() => pages().then(({ Events }) => Events)),
  '/metrics/new': lazy(() => import('../metric/chunk.ts').then(({ Builder }) => Builder)),
  '/settings': lazy(() => pages().then(({ Settings }) => Settings)),
};

function pathSteps(path: string): string[] {
  try {
    return path.split('/').slice(1).map(decodedStep);
  } catch {
    return [];
  }
}

/** Renders the page of the address. Paths equal those of the API. */
export function Routes() {
  const { path } = useLocation();
  const Own = ownPages[path];
  if (Own) return <Own />;
  const [kindPath = '', ...steps] = pathSteps(path);
  const kind = kindAt(kindPath);
  if (!kind) return <NoPage />;
  if (!kind.isSingle && !steps[0]) return <List key={kindPath} kind={kind} />;
  const [id = '', part = '', ...more] = kind.isSingle ? ['', ...steps] : steps;
  const isPart = part === '' || tabsOfPage(kind).some((one) => one.path === part);
  if (!isPart || more.length > 0) return <NoPage />;
  return <EntityPage key={`${kindPath} ${id}`} kind={kind} id={id} part={part} />;
}
