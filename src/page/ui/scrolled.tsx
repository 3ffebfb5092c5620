import type { ComponentChildren } from 'preact';

interface Props {
  as: 'pre' | 'section';
  class: string;
  'aria-label'?: string;
  children: ComponentChildren;
}

/** A box of what may be larger than it. It scrolls, and so takes the focus, that keys can scroll it (WCAG 2.1.1). */
export const Scrolled = ({ as: Tag, ...rest }: Props) => <Tag {...rest} tabIndex={0} />;
