import type { ComponentChildren } from 'preact';

interface BoxProps {
  title: string;
  note?: string | number;
  side?: ComponentChildren;
  children: ComponentChildren;
}

/** A titled box of Home. */
export const Box = ({ title, note, side, children }: BoxProps) => (
  <section class="box">
    <div class="box-head">
      <h2 class="box-title">{title}</h2>
      {note !== undefined && <span class="quiet">{note}</span>}
      {side && <div class="box-side">{side}</div>}
    </div>
    {children}
  </section>
);
