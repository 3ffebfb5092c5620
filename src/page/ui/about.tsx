import { useState } from 'preact/hooks';

/** As many letters as a few lines hold. */
const few = 320;

/** What it is for: its beginning, and all of it on demand. */
export function About({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > few;
  return (
    <div class="head-about">
      <p class={isLong && !isWhole ? 'head-text head-text-short' : 'head-text'}>{text}</p>
      {isLong && (
        <button
          class="head-more"
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  );
}
