import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

const failed = "Can't copy. Select the text instead.";

/** A button that copies a text. */
export function Copy({ text, label, words }: { text: string; label: string; words?: string }) {
  const [status, setStatus] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setStatus('Copied');
    } catch {
      setStatus(failed); // also without a clipboard API, for example over plain http
    }
  };
  return (
    <>
      <Button
        look={words ? 'plain' : 'icon'}
        icon={status === 'Copied' ? 'check' : 'copy'}
        label={label}
        onClick={copy}
      >
        {words}
      </Button>
      <span class={status === failed ? 'quiet' : 'unseen'} role="status">
        {status}
      </span>
    </>
  );
}
