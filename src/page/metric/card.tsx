import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

interface CardProps {
  title: string;
  note?: string;
  fields: ComponentChildren;
  children?: ComponentChildren;
}

/** A part of a metric to read, whose fields open in place if it has any. */
export function Card({ title, note, fields, children }: CardProps) {
  const [isOpen, setOpen] = useState(false);
  const heading = useId();
  const word = isOpen ? 'Close' : 'Change';
  return (
    <section class="box build-box" aria-labelledby={heading}>
      <div class="build-row build-ends">
        <h2 class="box-title" id={heading}>
          {title}
        </h2>
        {note && <span class="small">{note}</span>}
        {fields && (
          <Button label={`${word} ${title}`} onClick={() => setOpen(!isOpen)}>
            {word}
          </Button>
        )}
      </div>
      {isOpen && fields ? fields : children}
    </section>
  );
}
