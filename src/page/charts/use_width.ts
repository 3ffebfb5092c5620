import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Returns a reference for an element, and its width in pixels, so that charts are drawn at their size. */
export function useWidth(initial = 560) {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(Math.max(current.clientWidth, 120));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}
