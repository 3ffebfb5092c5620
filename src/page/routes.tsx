import { Route, Router } from 'preact-iso/router';
import { kindAt } from './kinds/all.ts';
import { AuditLog } from './pages/audit.tsx';
import { ChangeSet } from './pages/changes.tsx';
import { Connections } from './pages/connections.tsx';
import { Events } from './pages/events.tsx';
import { Home } from './pages/home.tsx';
import { Settings } from './pages/settings.tsx';
import { EntityPage } from './recipe/entity.tsx';
import { List } from './recipe/list.tsx';
import { useTitle } from './title.ts';
import { Empty } from './ui/empty.tsx';

function NoPage() {
  useTitle('No such page');
  return (
    <>
      <div class="page-head">
        <h1 class="page-title">No such page</h1>
      </div>
      <Empty title="Nothing is at this address.">
        <p>It may be mistyped, or what it led to is called otherwise now.</p>
        <p>
          <a href="/">Home</a>
        </p>
      </Empty>
    </>
  );
}

function OfKind({ kind: path = '' }: { kind?: string }) {
  const kind = kindAt(path);
  if (!kind) return <NoPage />;
  return kind.isSingle ? (
    <EntityPage key={path} kind={kind} id="" part="" />
  ) : (
    <List key={path} kind={kind} />
  );
}

function OfEntity({
  kind: path = '',
  id = '',
  part = '',
}: {
  kind?: string;
  id?: string;
  part?: string;
}) {
  const kind = kindAt(path);
  if (!kind) return <NoPage />;
  return kind.isSingle ? (
    <EntityPage key={path} kind={kind} id="" part={id} />
  ) : (
    <EntityPage key={`${path} ${id}`} kind={kind} id={id} part={part} />
  );
}

/** The pages by their addresses, which are those of the API without its prefix. */
export const Pages = () => (
  <Router>
    <Route path="/" component={Home} />
    <Route path="/audit_logs" component={AuditLog} />
    <Route path="/changes" component={ChangeSet} />
    <Route path="/connections" component={Connections} />
    <Route path="/events" component={Events} />
    <Route path="/settings" component={Settings} />
    <Route path="/:kind" component={OfKind} />
    <Route path="/:kind/:id" component={OfEntity} />
    <Route path="/:kind/:id/:part" component={OfEntity} />
    <Route default component={NoPage} />
  </Router>
);
