import { useEffect } from 'preact/hooks';

/** The title of the window, for as long as a page is there. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
}
