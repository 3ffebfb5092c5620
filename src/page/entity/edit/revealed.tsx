import { useState } from 'preact/hooks';
import { useStay } from '../../base/location.ts';
import { capital } from '../../base/words.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Note } from '../../ui/note.tsx';
import { Sheet } from '../../ui/sheet.tsx';

interface RevealedProps {
  what: string;
  title: string;
  text: string;
  onClose: () => void;
}

/** Displays a secret once. Closing it needs a confirmation. */
export function Revealed({ what, title, text, onClose }: RevealedProps) {
  const [asks, setAsks] = useState(false);
  useStay(true, () => setAsks(true));
  return (
    <Sheet
      title={`${capital(what)} of ${title}`}
      onClose={() => (asks ? onClose() : setAsks(true))}
      footer={
        <Button look="primary" onClick={onClose}>
          I've saved it
        </Button>
      }
    >
      <p class="says">Copy it now. It won't be shown again.</p>
      <p class="secret">
        <code class="secret-text">{text}</code>
        <Copy text={text} label={`Copy ${what}`} words="Copy" />
      </p>
      {asks && (
        <Note look="warn" live>
          It won't be shown again. Close again to confirm.
        </Note>
      )}
    </Sheet>
  );
}
