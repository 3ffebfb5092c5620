export type Tone = 'idle' | 'going' | 'done' | 'waiting' | 'bad' | 'away';

export interface StatusLook {
  tone: Tone;
  word: string;
}
