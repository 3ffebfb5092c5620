import { statusInWords } from '../base/words.ts';
import type { StatusLook, Tone } from './status_look.ts';

const shapes: Record<Tone, string> = {
  idle: '○',
  going: '◐',
  done: '●',
  waiting: '◔',
  bad: '✕',
  away: '□',
};

export type Tones<S extends string> = Record<S, Tone>;

export const lookOf = <S extends string>(tones: Tones<S>, status: S): StatusLook => ({
  tone: tones[status],
  word: statusInWords(status),
});

/** Returns select options for statuses. */
export const wordsOf = (statuses: string[]) =>
  Object.fromEntries(statuses.map((status) => [status, statusInWords(status)]));

/** Returns how an on/off switch is displayed. */
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
