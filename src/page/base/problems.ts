import type { PropertyError } from '../../base/problem.ts';

export interface Problem {
  status: number;
  type: string;
  title: string;
  message: string;
  errors: PropertyError[];
  references: { kind: string; id: string }[];
  index: number | undefined;
  /** Seconds. */
  retryAfter: number;
}

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

export const unreachable: Problem = {
  status: 0,
  type: '',
  title: 'No connection',
  message: "Can't reach the server. Your input is kept.",
  errors: [],
  references: [],
  index: undefined,
  retryAfter: 0,
};

export const ended: Problem = {
  ...unreachable,
  status: 401,
  title: 'Your session has ended',
  message: 'Sign in again. Your input is kept.',
};

const failed = (message: string): Problem => ({
  ...unreachable,
  title: 'Something went wrong',
  message,
});

/** Returns the problem of any error. */
export const problemOf = (error: unknown): Problem =>
  error instanceof Refused ? error.problem : failed(String(error));

/** Whether the outcome of a request is unknown. */
export const isUnknown = ({ status }: Problem) => status === 0 || status >= 500;

/** Whether the same request may succeed later. */
export const isPassing = (problem: Problem) =>
  isUnknown(problem) || problem.status === 401 || problem.status === 429;

/** Parses a response. @throws Refused if it is not JSON */
export async function readBody<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch {
    throw new Refused(failed('The response is not from this server.'));
  }
}

/** Returns the error of an unsuccessful response. */
export async function refused(response: Response): Promise<Refused> {
  // A proxy before the Worker may respond with other JSON.
  const isOurs = response.headers.get('Content-Type')?.includes('problem');
  const body = isOurs ? await readBody<Partial<Problem>>(response) : {};
  const retryAfter = Number(response.headers.get('Retry-After') ?? 0);
  const { status } = response;
  return new Refused({
    ...failed(`The server returned status ${status}.`),
    ...body,
    status,
    retryAfter,
  });
}
