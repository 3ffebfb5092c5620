import type { ComponentChildren } from 'preact';

interface SectionProps {
  title: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a page, under its own title. */
export const Section = ({ title, children }: SectionProps) => (
  <section class="section">
    <h2 class="section-title">{title}</h2>
    {children}
  </section>
);
