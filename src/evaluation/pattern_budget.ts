import type { Matcher } from '../shared/patterns.ts';

/** Steps that the patterns of one request may take together: 60 to 100 ms, or 29,000 matches of an e-mail address. */
export const mostPatternSteps = 5_000_000;

class Spent extends Error {}

/** The work that the patterns of one request share. */
export class PatternBudget {
  /** Steps; below 0 once they are spent. */
  left = mostPatternSteps;

  get isSpent(): boolean {
    return this.left < 0;
  }

  readonly #spend = (steps: number) => {
    this.left -= steps;
    if (this.isSpent) throw new Spent();
  };

  /** Whether a text matches; never, once the budget is spent. */
  allows(match: Matcher, text: string): boolean {
    try {
      return !this.isSpent && match(text, this.#spend);
    } catch (error) {
      if (error instanceof Spent) return false;
      throw error;
    }
  }
}
