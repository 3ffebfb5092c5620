export type Tone = 'idle' | 'going' | 'done' | 'waiting' | 'bad' | 'away';

/** How a status is displayed: a shape in a color, and a word. */
export interface StatusLook {
  tone: Tone;
  word: string;
}
