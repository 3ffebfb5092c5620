export type Counting = 'better' | 'worse' | 'leaning' | 'leaningworse' | 'unclear';

export const countingWords: Record<Counting, string> = {
  better: 'better',
  worse: 'worse',
  leaning: 'leaning to better',
  leaningworse: 'leaning to worse',
  unclear: 'unclear',
};
