import { useState } from 'preact/hooks';
import { useStay } from '../location.ts';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Note } from '../ui/note.tsx';
import { Sheet } from '../ui/sheet.tsx';

interface RevealedProps {
  /** What it is: a key, or a secret. */
  what: string;
  title: string;
  text: string;
  onClose: () => void;
}

/** A new key or secret: it is shown this once, and closing asks whether it is in safe hands. */
export function Revealed({ what, title, text, onClose }: RevealedProps) {
  const [asks, setAsks] = useState(false);
  useStay(true, () => setAsks(true));
  return (
    <Sheet
      title={`The ${what} of ${title}`}
      onClose={() => (asks ? onClose() : setAsks(true))}
      footer={
        <Button look="primary" onClick={onClose}>
          I have put it away
        </Button>
      }
    >
      <p class="says">It is shown this once. Copy it now, and put it where secrets are kept.</p>
      <p class="secret">
        <code class="secret-text">{text}</code>
        <Copy text={text} label={`Copy the ${what}`} words="Copy" />
      </p>
      {asks && (
        <Note look="warn" live>
          It will not be shown again. Close once more when you have it.
        </Note>
      )}
    </Sheet>
  );
}
