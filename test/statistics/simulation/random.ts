/** Random numbers that a seed repeats. */
export interface Random {
  /** Uniform between 0 and 1, both excluded. */
  uniform(): number;
  normal(): number;
  /** A chi-square variable. */
  chiSquare(degreesOfFreedom: number): number;
  binomial(n: number, p: number): number;
}

/** Returns a generator of 32-bit integers (sfc32, by Chris Doty-Humphrey). */
function integers(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9, 0x243f6a88, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let step = 0; step < 20; step++) next();
  return next;
}

/** Returns random numbers of a seed. */
export function randomOf(seed: number): Random {
  const next = integers(seed);
  const uniform = () => (next() + 0.5) / 2 ** 32;
  let spare = Number.NaN;

  /** The polar method of Marsaglia makes two at a time. */
  function normal(): number {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    for (;;) {
      const [x, y] = [2 * uniform() - 1, 2 * uniform() - 1];
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * factor;
      return x * factor;
    }
  }

  /** Marsaglia and Tsang 2000, of a gamma variable with shape 1 or more. */
  function gamma(shape: number): number {
    const d = shape - 1 / 3;
    for (;;) {
      const x = normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  /** By the gaps between successes, which are geometric. */
  function binomial(n: number, p: number): number {
    if (p > 0.5) return n - binomial(n, 1 - p);
    const scale = 1 / Math.log1p(-p);
    let [successes, at] = [0, 0];
    for (;;) {
      at += Math.floor(Math.log(uniform()) * scale) + 1;
      if (at > n) return successes;
      successes++;
    }
  }

  return {
    uniform,
    normal,
    binomial,
    chiSquare: (degreesOfFreedom) => 2 * gamma(degreesOfFreedom / 2),
  };
}
