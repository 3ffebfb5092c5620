import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { pageOf } from '../../base/history_words.ts';
import { useShortcut } from '../../base/keyboard.ts';
import { go } from '../../base/location.ts';
import { whyNot } from '../../base/session.ts';
import type { Entity } from '../../base/types.ts';
import { lower, number } from '../../base/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page_head.tsx';
import { Crumb } from '../crumb.tsx';
import type { EntityValues, KindPage, Template } from '../kind.ts';

/** Whether a search or filter is set. */
export const isFiltered = (query: Record<string, string>) =>
  Object.keys(query).some((name) => name !== 'page' && name !== 'sort');

interface TitleProps {
  kind: KindPage;
  total: number | undefined;
  children: ComponentChildren;
}

export const Title = ({ kind, total, children }: TitleProps) => (
  <>
    <Crumb kind={kind} ofOne={false} />
    <PageHead title={kind.many} total={total}>
      {children}
      <p class="unseen" role="status">
        {total === undefined ? '' : `${number(total)} found`}
      </p>
    </PageHead>
  </>
);

interface SearchFieldProps {
  kind: KindPage;
  text: string;
  onText: (text: string) => void;
  first: () => Promise<Entity | undefined>;
}

/** The search input. Enter opens the first result. */
export function SearchField({ kind, text, onText, first }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', () => field.current?.focus());
  const goToFirst = async () => {
    const { pathname } = location;
    const found = await first().catch(() => undefined);
    if (found && location.pathname === pathname) go(pageOf(kind, found.id));
  };
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        goToFirst();
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        class="search-input"
        type="search"
        aria-label={`Search ${lower(kind.many)}`}
        placeholder="Search by the start of a word"
        autoComplete="off"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <kbd class="keys">/</kbd>
    </form>
  );
}

interface TemplatesProps {
  templates: Template[];
  why: string | undefined;
  onChoose: (values: EntityValues) => void;
}

const Templates = ({ templates, why, onChoose }: TemplatesProps) => (
  <>
    <p>Or start with a template:</p>
    <ul class="cards">
      {templates.map(({ title, text, values }) => (
        <li key={title} class="card">
          <Button why={why} onClick={() => onChoose(values)}>
            {title}
          </Button>
          <p class="quiet">{text}</p>
        </li>
      ))}
    </ul>
  </>
);

interface EmptyListProps {
  kind: KindPage;
  query: Record<string, string>;
  onTemplate: (values: EntityValues) => void;
  children: ComponentChildren;
}

/** The empty state of a list. */
export function EmptyList({ kind, query, onTemplate, children }: EmptyListProps) {
  const many = lower(kind.many);
  const { templates, Snippet } = kind.creation ?? {};
  if (!isFiltered(query))
    return (
      <Empty title={`No ${many} yet.`}>
        <p>{kind.about}</p>
        <p class="empty-step">{children}</p>
        {templates && (
          <Templates
            templates={templates}
            why={whyNot(kind.scope ?? 'write')}
            onChoose={onTemplate}
          />
        )}
        {Snippet && <Snippet />}
      </Empty>
    );
  return (
    <Empty
      title={query.search ? `No results for “${query.search}”.` : 'No results for these filters.'}
    >
      {query.search && <p>A word is found by its start.</p>}
      <p>
        <a href={`/${kind.path}`}>{`Show all ${many}`}</a>
      </p>
    </Empty>
  );
}
