import { statusInWords } from '../words.ts';

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

/** How far each status is. */
export type Tones<S extends string> = Record<S, Tone>;

/** How a status looks, of some. */
export const lookOf = <S extends string>(tones: Tones<S>, status: S): StatusLook => ({
  tone: tones[status],
  word: statusInWords(status),
});

/** The words of some statuses, to choose from. */
export const wordsOf = (statuses: string[]) =>
  Object.fromEntries(statuses.map((status) => [status, statusInWords(status)]));

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
