import { useState } from 'preact/hooks';

const maxLength = 320;

/** Displays a description, shortened after 320 characters. */
export function About({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > maxLength;
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
