/** Built-in methods that take longer the more they visit, each with how much a call that returned has visited. */
type Visits = (self: ArrayLike<unknown>, result: unknown, args: unknown[]) => number;

const { entries, keys } = Object; // which do not count

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : keys(value ?? {}).length;

const untilFound: Visits = (self, at) => (at === -1 ? self.length : Number(at) + 1);
const untilHeld: Visits = (self) => self.length;
const wholeResult: Visits = (_, result) => lengthOf(result);

/** Methods that call a function for each element, which is counted by these calls. */
const visitors = [
  ...['every', 'filter', 'find', 'findIndex', 'findLast', 'flatMap', 'forEach', 'map'],
  ...['reduce', 'some', 'sort', 'toSorted'],
];

const arrayMethods: Record<string, Visits> = {
  concat: wholeResult,
  flat: wholeResult,
  includes: untilHeld,
  indexOf: untilFound,
  join: untilHeld,
  lastIndexOf: untilHeld,
  slice: wholeResult,
  splice: untilHeld,
  shift: untilHeld,
  unshift: untilHeld,
  with: wholeResult,
};

const textMethods: Record<string, Visits> = {
  charCodeAt: () => 1,
  codePointAt: () => 1,
  includes: untilHeld,
  indexOf: untilFound,
  isWellFormed: untilHeld,
  normalize: wholeResult,
  replaceAll: untilHeld,
  split: untilHeld,
  toLowerCase: untilHeld,
  toUpperCase: untilHeld,
  toWellFormed: untilHeld,
  trim: wholeResult,
};

const objectMethods: Record<string, Visits> = {
  assign: wholeResult,
  entries: wholeResult,
  fromEntries: wholeResult,
  keys: wholeResult,
  values: wholeResult,
};

const jsonMethods: Record<string, Visits> = {
  parse: (_self, _result, [text]) => lengthOf(text),
  stringify: wholeResult,
};

/** Replaces a method by a proxy, and returns the function that restores it. */
function replaced(owner: object, name: string, handler: ProxyHandler<() => unknown>) {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  if (typeof own?.value !== 'function') throw new Error(`There is no method ${name}.`);
  Object.defineProperty(owner, name, { ...own, value: new Proxy(own.value, handler) });
  return () => Object.defineProperty(owner, name, own);
}

/**
 * Counts the steps of some work: array elements that methods visit, letters that methods of texts read, and properties
 * that are listed. Unlike its time, they are the same on a busy machine. Loops and patterns are not counted.
 */
export async function stepsOf(work: () => unknown): Promise<number> {
  let steps = 0;
  const counting = (visits: Visits): ProxyHandler<() => unknown> => ({
    apply(method, self, args) {
      const result = Reflect.apply(method, self, args);
      steps += visits(self, result, args);
      return result;
    },
  });
  const visiting: ProxyHandler<() => unknown> = {
    apply(method, self, [visit, ...others]) {
      if (typeof visit !== 'function') return Reflect.apply(method, self, [visit, ...others]);
      const counted = function (this: unknown, ...args: unknown[]): unknown {
        steps++;
        return Reflect.apply(visit, this, args);
      };
      return Reflect.apply(method, self, [counted, ...others]);
    },
  };
  const each = (owner: object, methods: Record<string, Visits>) =>
    entries(methods).map(([name, visits]) => replaced(owner, name, counting(visits)));
  const restore = [
    ...each(Object, objectMethods),
    ...each(JSON, jsonMethods),
    ...each(String.prototype, textMethods),
    ...each(Array.prototype, arrayMethods),
    ...visitors.map((name) => replaced(Array.prototype, name, visiting)),
  ];
  steps = 0;
  try {
    await work();
  } finally {
    for (const put of restore.toReversed()) put();
  }
  return steps;
}
