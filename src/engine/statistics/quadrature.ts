const order = 16;

function legendre(x: number): { value: number; slope: number } {
  let [before, value] = [1, x];
  for (let degree = 2; degree <= order; degree++)
    [before, value] = [value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree];
  return { value, slope: (order * (x * value - before)) / (x * x - 1) };
}

/** The points and weights of Gauss-Legendre quadrature on -1 to 1, by Newton's method. */
const points = Array.from({ length: order }, (_, index) => {
  let x = Math.cos((Math.PI * (index + 0.75)) / (order + 0.5));
  for (let step = 0; step < 10; step++) {
    const { value, slope } = legendre(x);
    x -= value / slope;
  }
  const { slope } = legendre(x);
  return { x, weight: 2 / ((1 - x * x) * slope * slope) };
});

/** Returns the points between ascending bounds at which a function is evaluated, with the weights of their values. */
export const quadrature = (bounds: readonly number[]): { x: number; weight: number }[] =>
  bounds.slice(1).flatMap((upper, index) => {
    const lower = bounds[index] ?? upper;
    const half = (upper - lower) / 2;
    return points.map(({ x, weight }) => ({ x: lower + half * (1 + x), weight: weight * half }));
  });
