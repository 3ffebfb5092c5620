import type { ComponentChildren } from 'preact';

interface Props {
  as: 'pre' | 'section';
  class: string;
  'aria-label'?: string;
  children: ComponentChildren;
}

/** A scrollable box, focusable so that keys scroll it (WCAG 2.1.1). */
export const Scrolled = ({ as: Tag, ...rest }: Props) => <Tag {...rest} tabIndex={0} />;
