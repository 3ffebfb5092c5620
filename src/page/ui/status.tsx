/** How far something is: a word, with a shape and a colour that say the same. */
type Tone = 'idle' | 'going' | 'done' | 'waiting' | 'bad' | 'away';

const shapes: Record<Tone, string> = {
  idle: '○',
  going: '◐',
  done: '●',
  waiting: '◔',
  bad: '✕',
  away: '□',
};

export interface StatusLook {
  tone: Tone;
  word: string;
}

export const Status = ({ tone, word }: StatusLook) => (
  <span class={`status status-${tone}`}>
    <span class="status-shape" aria-hidden="true">
      {shapes[tone]}
    </span>
    {word}
  </span>
);
