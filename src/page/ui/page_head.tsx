import type { ComponentChildren } from 'preact';
import { number } from '../base/words.ts';

interface PageHeadProps {
  title: string;
  total?: number;
  children?: ComponentChildren;
}

/** The heading of a page with its total. */
export const PageHead = ({ title, total, children }: PageHeadProps) => (
  <div class="page-head">
    <h1 class="page-title">
      {title}
      {total !== undefined && <span class="page-count">{number(total)}</span>}
    </h1>
    {children}
  </div>
);
