import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './loading.tsx';
import { Note } from './note.tsx';

const sheets = new Set<string>();

function addSheet(href: string): Promise<void> {
  if (sheets.has(href)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => {
      sheets.add(href);
      resolve();
    };
    link.onerror = reject;
    document.head.appendChild(link);
  });
}

type Component<P> = (props: P) => ComponentChildren;

/** Returns a component whose script and style sheet load when it is first displayed; until then, `lines` are. */
export function lazy<P extends object>(load: () => Promise<Component<P>>, lines = 6): Component<P> {
  let loaded: Component<P> | undefined;
  return function Lazy(props: P) {
    const [state, setState] = useState<'loading' | 'ready' | 'failed'>(
      loaded ? 'ready' : 'loading',
    );
    useEffect(() => {
      if (loaded) return;
      Promise.all([load(), addSheet('/page/results.css')]).then(
        ([component]) => {
          loaded = component;
          setState('ready');
        },
        () => setState('failed'),
      );
    }, []);
    if (state === 'failed') return <Note look="bad">Can't load this part. Reload the page.</Note>;
    const Loaded = loaded;
    return Loaded ? <Loaded {...props} /> : <Loading lines={lines} />;
  };
}
