import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { openDialogs, useShortcut } from '../base/keyboard.ts';
import { useLocation } from '../base/location.ts';
import { useChangeSet } from '../entity/review/change_set.ts';
import { useDrafts } from '../entity/review/draft.ts';
import { kindAt } from '../kinds/all.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Toasts } from '../ui/toast.tsx';
import { GoTo } from './go_to.tsx';
import { Mark } from './mark.tsx';
import { type Link, navigation } from './navigation.ts';
import { Who } from './who.tsx';

const isBelow = (path: string, href: string) => path === href || path.startsWith(`${href}/`);

const isAt = (path: string, { href, covers = [], below = [] }: Link): boolean =>
  href === '/'
    ? path === '/'
    : isBelow(path, href) ||
      covers.some((other) => isBelow(path, other)) ||
      below.some((link) => isAt(path, link));

const currentOf = (path: string, link: Link) =>
  isAt(path, link) ? (link.below?.some((one) => isAt(path, one)) ? 'true' : 'page') : undefined;

interface NavigationLinkProps {
  link: Link;
  path: string;
  number: number;
  hasDraft: boolean;
}

const NavigationLink = ({ link, path, number, hasDraft }: NavigationLinkProps) => (
  <li>
    <a class="nav-link" aria-current={currentOf(path, link)} href={link.href}>
      <Icon name={link.icon} />
      <span class="nav-words">{link.words}</span>
      {number > 0 && <span class="nav-count">{number}</span>}
      {hasDraft && (
        <span class="nav-draft" title="Unsaved changes">
          <span class="unseen">, unsaved changes</span>
        </span>
      )}
    </a>
    {link.below && isAt(path, link) && (
      <ul class="nav-below">
        {link.below.map((one) => (
          <NavigationLink key={one.href} link={one} path={path} number={0} hasDraft={false} />
        ))}
      </ul>
    )}
  </li>
);

function Navigation({ path, isOpen }: Pick<SideProps, 'path' | 'isOpen'>) {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path, isOpen]);
  const drafts = useDrafts();
  const waiting = useChangeSet().length;
  const isShown = (link: Link) => link.href !== '/changes' || waiting > 0 || isAt(path, link);
  return (
    <nav class="nav" aria-label="Main" ref={list}>
      {navigation.map(({ title, links }) => (
        <div key={links[0]?.href} class="nav-group">
          {title && <p class="nav-title">{title}</p>}
          <ul>
            {links.filter(isShown).map((link) => (
              <NavigationLink
                key={link.href}
                link={link}
                path={path}
                number={link.href === '/changes' ? waiting : 0}
                hasDraft={drafts.some((draft) => isAt(draft, link))}
              />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface SideProps {
  path: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onGo: () => void;
  onSignOut: () => void;
}

const Side = ({ path, isOpen, onOpen, onGo, onSignOut }: SideProps) => (
  <header class={isOpen ? 'side side-open' : 'side'}>
    <div class="side-top">
      <a class="side-mark" href="/" aria-label="Console, home">
        <Mark />
      </a>
      <span class="side-toggle">
        <Button
          look="icon"
          icon={isOpen ? 'close' : 'menu'}
          label={isOpen ? 'Close menu' : 'Open menu'}
          onClick={() => onOpen(!isOpen)}
        />
      </span>
    </div>
    <div class="side-more">
      <button class="go" type="button" onClick={onGo}>
        <Icon name="search" />
        <span class="go-words">Go to …</span>
        <kbd class="keys">Ctrl K</kbd>
      </button>
      <Navigation path={path} isOpen={isOpen} />
      <Who onSignOut={onSignOut} />
    </div>
  </header>
);

/** If the focused element is removed, focuses the closest remaining ancestor, so that Tab continues there. */
function useFocusIn(element: { current: HTMLElement | null }): void {
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    let last: EventTarget | null = null;
    const came = ({ target }: Event) => {
      last = target;
    };
    const changed = new MutationObserver((records) => {
      const gone = last instanceof Element && !last.isConnected && last;
      if (!gone || document.activeElement !== document.body) return;
      const record = records.find(
        ({ target, removedNodes }) =>
          target.isConnected && [...removedNodes].some((node) => node.contains(gone)),
      );
      let place: Node | null = record?.target ?? current;
      while (document.activeElement === document.body && place instanceof HTMLElement) {
        place.tabIndex = -1;
        place.focus({ preventScroll: true });
        place = place.parentElement;
      }
    });
    current.addEventListener('focusin', came);
    changed.observe(current, { childList: true, subtree: true });
    return () => {
      current.removeEventListener('focusin', came);
      changed.disconnect();
    };
  }, []);
}

function useArrival(page: string, onArrival: () => void): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) onArrival();
    isFirst.current = false;
  }, [page]);
}

interface ShellProps {
  children: ComponentChildren;
  onSignOut: () => void;
}

/** The side bar and the main area. */
export function Shell({ children, onSignOut }: ShellProps) {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isGoing, setGoing] = useState(false);
  const [, kind = '', id = ''] = path.split('/');
  const page = kindAt(kind)?.isSingle ? kind : `${kind}/${id}`;
  const close = () => {
    setOpen(false);
    document.querySelector<HTMLElement>('.side-toggle > button')?.focus();
  };
  useShortcut('Ctrl+k', () => openDialogs() === 0 && setGoing(true));
  useShortcut('Escape', close, () => isOpen);
  useArrival(page, () => {
    setOpen(false);
    main.current?.focus({ preventScroll: true });
  });
  useFocusIn(main);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Side
        path={path}
        isOpen={isOpen}
        onOpen={setOpen}
        onGo={() => setGoing(true)}
        onSignOut={onSignOut}
      />
      <main class="main" id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      {isGoing && <GoTo onClose={() => setGoing(false)} />}
      <Toasts />
    </div>
  );
}
