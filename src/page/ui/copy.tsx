import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

const byHand = "Can't copy. Select the text instead.";

/** A button that copies a text. */
export function Copy({ text, label, words }: { text: string; label: string; words?: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid(byHand); // also without a clipboard API, for example over plain http
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
