import type { Matcher } from '../patterns/patterns.ts';

/** Steps of all patterns in one request: 60 to 100 ms, or 29,000 matches of an e-mail address. */
export const maxPatternSteps = 5_000_000;

class Spent extends Error {}

export class PatternBudget {
  left = maxPatternSteps;

  get isSpent(): boolean {
    return this.left < 0;
  }

  #spend(steps: number): void {
    this.left -= steps;
    if (this.isSpent) throw new Spent();
  }

  allows(match: Matcher, text: string): boolean {
    try {
      return !this.isSpent && match(text, (steps) => this.#spend(steps));
    } catch (error) {
      if (error instanceof Spent) return false;
      throw error;
    }
  }
}
