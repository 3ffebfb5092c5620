import type { ComponentChildren } from 'preact';
import { number } from '../words.ts';

interface PageHeadProps {
  title: string;
  /** How many it lists, once that is known. */
  total?: number;
  children?: ComponentChildren;
}

/** What a page is called. */
export const PageHead = ({ title, total, children }: PageHeadProps) => (
  <div class="page-head">
    <h1 class="page-title">
      {title}
      {total !== undefined && <span class="page-count">{number(total)}</span>}
    </h1>
    {children}
  </div>
);
