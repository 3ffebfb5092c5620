import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

const byHand = "Can't copy. Select the text instead.";

/** Copies a text; where the browser does not let it, says so. */
export function Copy({ text, label, words }: { text: string; label: string; words?: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid(byHand); // also where the browser has no clipboard, as over plain http
    }
  };
  return (
    <>
      <Button
        look={words ? 'plain' : 'icon'}
        icon={said === 'Copied' ? 'check' : 'copy'}
        label={label}
        onClick={copy}
      >
        {words}
      </Button>
      <span class={said === byHand ? 'quiet' : 'unseen'} role="status">
        {said}
      </span>
    </>
  );
}
