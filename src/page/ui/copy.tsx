import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

const byHand = 'Select it, and copy it by hand';

/** Copies a text; where the browser does not let it, says so. */
export function Copy({ text, label, words }: { text: string; label: string; words?: string }) {
  const [said, setSaid] = useState('');
  const copy = () =>
    Promise.resolve(navigator.clipboard?.writeText(text)).then(
      () => setSaid(navigator.clipboard ? 'Copied' : byHand),
      () => setSaid(byHand),
    );
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
