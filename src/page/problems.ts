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
  references: { kind: string; id: string; name?: string }[];
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
  message: 'The server cannot be reached. Nothing that you typed is lost.',
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
  message: 'Sign in again. Nothing that you typed is lost.',
};

/** What an error thrown by a call says to people. */
export const problemOf = (error: unknown): Problem =>
  error instanceof Refused
    ? error.problem
    : { ...unreachable, title: 'Something went wrong', message: String(error) };

/** The problem document of an answer; nothing where something before the Worker answered. */
async function problemIn(response: Response): Promise<Partial<Problem>> {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

/** What an answer that is no success says. */
export async function refused(response: Response): Promise<Refused> {
  const body = await problemIn(response);
  const retryAfter = Number(response.headers.get('Retry-After') ?? 0);
  const title = `The server answered ${response.status}`;
  const { status } = response;
  return new Refused({ ...unreachable, title, message: title, ...body, status, retryAfter });
}
