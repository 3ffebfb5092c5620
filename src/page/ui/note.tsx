import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

const icons = { info: 'info', warn: 'alert', bad: 'alert', good: 'check' } as const;

interface NoteProps {
  look: keyof typeof icons;
  title?: string;
  children?: ComponentChildren;
  live?: boolean;
}

/** A highlighted message. */
export const Note = ({ look, title, children, live }: NoteProps) => (
  <div class={`note note-${look}`} role={live ? (look === 'bad' ? 'alert' : 'status') : undefined}>
    <Icon name={icons[look]} />
    <div class="note-words">
      {title && <strong>{title}</strong>}
      {children}
    </div>
  </div>
);
