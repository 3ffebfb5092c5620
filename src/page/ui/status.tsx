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

/** The words of some looks, to choose from. */
export const wordsOf = (looks: Record<string, StatusLook>) =>
  Object.fromEntries(Object.entries(looks).map(([status, { word }]) => [status, word]));

/** How what is switched on and off looks. */
export const onOrOff = (isOn: boolean): StatusLook =>
  isOn ? { tone: 'going', word: 'On' } : { tone: 'idle', word: 'Off' };

export const Status = ({ tone, word }: StatusLook) => (
  <span class={`status status-${tone}`}>
    <span class="status-shape" aria-hidden="true">
      {shapes[tone]}
    </span>
    {word}
  </span>
);
