/** What is wrong with a property, such as `rules.0.name`. */
export interface PropertyError {
  property: string;
  errorMessage: string;
}

export interface Problem {
  /** 0 where no answer came. */
  status: number;
  type: string;
  title: string;
  message: string;
  errors: PropertyError[];
  references: { kind: string; id: string }[];
  /** Which of many changes is at fault. */
  index: number | undefined;
  /** Seconds to wait. */
  retryAfter: number;
}

/** Why a call was not answered as it was meant to. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** What is said where no answer came. */
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

/** What is said where the session has ended. */
export const ended: Problem = {
  ...unreachable,
  status: 401,
  title: 'Your session has ended',
  message: 'Sign in again. Your input is kept.',
};

/** What is said where something else went wrong than the server says. */
const failed = (message: string): Problem => ({
  ...unreachable,
  title: 'Something went wrong',
  message,
});

/** What an error thrown by a call says to people. */
export const problemOf = (error: unknown): Problem =>
  error instanceof Refused ? error.problem : failed(String(error));

/** Whether no word came of what was asked: it may have been done, or not. */
export const isUnknown = ({ status }: Problem) => status === 0 || status >= 500;

/** Whether it may be had later, by the same request. */
export const isPassing = (problem: Problem) =>
  isUnknown(problem) || problem.status === 401 || problem.status === 429;

/** What an answer holds. */
export async function read<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch {
    throw new Refused(failed('The response is not from this server.'));
  }
}

/** What an answer that is no success says. */
export async function refused(response: Response): Promise<Refused> {
  // What something before the Worker answers says nothing that the page could tell, though it may be JSON.
  const isOurs = response.headers.get('Content-Type')?.includes('problem');
  const body = isOurs ? await read<Partial<Problem>>(response) : {};
  const retryAfter = Number(response.headers.get('Retry-After') ?? 0);
  const { status } = response;
  return new Refused({
    ...failed(`The server returned status ${status}.`),
    ...body,
    status,
    retryAfter,
  });
}
