import type { ComponentChildren } from 'preact';

interface SectionProps {
  title: ComponentChildren;
  children: ComponentChildren;
}

/** A titled part of a page. */
export const Section = ({ title, children }: SectionProps) => (
  <section class="section">
    <h2 class="section-title">{title}</h2>
    {children}
  </section>
);
