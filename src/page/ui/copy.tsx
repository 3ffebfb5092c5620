import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Copies a text; where the browser does not let it, says so. */
export function Copy({ text, label, words }: { text: string; label: string; words?: string }) {
  const [said, setSaid] = useState('');
  const copy = () =>
    Promise.resolve(navigator.clipboard?.writeText(text)).then(
      () => setSaid(navigator.clipboard ? 'Copied' : 'Select it, and copy it by hand'),
      () => setSaid('Select it, and copy it by hand'),
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
      <span class="unseen" role="status">
        {said}
      </span>
    </>
  );
}
