import type { ContentfulStatusCode } from 'hono/utils/http-status';

interface ProblemType {
  status: ContentfulStatusCode;
  title: string;
  meaning: string;
}

/** Every way a call can fail; the key is the last part of the problem's `type`. */
export const problemTypes = {
  malformed: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The body is not valid JSON. Nothing was changed.',
  },
  invalid: {
    status: 400,
    title: 'Invalid request',
    meaning:
      'Some property of the path, query or body is missing, has the wrong type or is out of bounds. `errors` names each of them. Nothing was changed.',
  },
  unknown_reference: {
    status: 400,
    title: 'Unknown reference',
    meaning:
      'The body names another entity that does not exist or is archived. `errors` names each property. Nothing was changed.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The SERVICE-API-KEY header is absent, or its key is unknown, deactivated or expired.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The API key is valid, but lacks the scope that this operation needs.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such path, or no entity with this id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method. The Allow header lists the ones it has.',
  },
  taken: {
    status: 409,
    title: 'Already in use',
    meaning: 'Another entity has this id. Choose another name or id.',
  },
  mergeable: {
    status: 409,
    title: 'Name in use',
    meaning:
      'The new name is in use. Choose another, or send `merge: true` to make the two one. Nothing was changed.',
  },
  in_use: {
    status: 409,
    title: 'Entity in use',
    meaning:
      'Other entities refer to this one, so it cannot be removed or archived. `references` lists them; change them first.',
  },
  transition: {
    status: 409,
    title: 'Not possible in this state',
    meaning: 'The entity is in a state that does not allow this change.',
  },
  contention: {
    status: 409,
    title: 'Too many changes at once',
    meaning:
      'Other changes to the same entities kept coming first. Nothing was changed; send the request again.',
  },
  precondition: {
    status: 412,
    title: 'Changed in the meantime',
    meaning:
      'The If-Match header names another version than the current one. Read the entity again and decide again.',
  },
  too_large: {
    status: 413,
    title: 'Too large',
    meaning:
      'A body may have 1 MiB, that of many changes 5 MiB, that of an import 10 MiB, a stored entity 1.5 MB. The database takes 8 MB at once: all that a request changes, with its history. The message says how to divide it.',
  },
  media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning:
      'A body is sent as Content-Type: application/json; that of an import may be application/x-ndjson.',
  },
  key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    meaning:
      'The Idempotency-Key was used for another request within the last 24 hours, or with other scopes.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The API key made more changes in the last minute than it may, or the address asked more often. Wait for Retry-After.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault of the service itself. The request id finds it in the logs.',
  },
  unavailable: {
    status: 503,
    title: 'Database not available',
    meaning:
      'The database sheds load or cannot be reached. The message says whether the change was stored. Wait for Retry-After.',
  },
  incomplete: {
    status: 503,
    title: 'Deployment incomplete',
    meaning:
      'The deployment lacks a part: its database is not bound or not migrated, or a secret is not set. The message names the command that mends it. Nothing was changed.',
  },
  sealing: {
    status: 503,
    title: 'Sealing key missing',
    meaning:
      'Secrets are stored sealed, and the Worker secret SEALING_KEY that seals them is absent or not 32 bytes in base64. Nothing was changed.',
  },
} as const satisfies Record<string, ProblemType>;

type ProblemCode = keyof typeof problemTypes;

export interface PropertyError {
  property: string;
  errorMessage: string;
}

interface Details {
  errors?: PropertyError[];
  headers?: Record<string, string>;
  /** Further members of the body. */
  members?: Record<string, unknown>;
  /** Which of many changes is at fault, such as `changes.3.`; empty or absent where the request is one change. */
  origin?: string;
}

/** What a body calls a property: `names` has what properties begin with, and what the body has in its place. */
export function sentAs(property: string, names: ReadonlyMap<string, string>): string {
  for (const [name, sent] of names)
    if (property.startsWith(name)) return `${sent}${property.slice(name.length)}`;
  return property;
}

/** The one error of this service: thrown anywhere, answered as RFC 9457. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }

  /** A 503 of a database that can be asked again in a second. */
  static unavailable(message: string): Problem {
    return new Problem('unavailable', message, { headers: { 'Retry-After': '1' } });
  }

  /** A 409 of a change that was tried until others no longer came first. */
  static contention(): Problem {
    return new Problem('contention', 'Other changes kept coming first; send the request again.');
  }

  /** A 400 that names one property of the body. */
  static property(property: string, errorMessage: string): Problem {
    return Problem.invalid([{ property, errorMessage }]);
  }

  /** A 400 that names each property at fault, a hundred at most, and says how many there are. */
  static invalid(errors: PropertyError[]): Problem {
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    const message = first ? `${first.property} ${first.errorMessage}${more}.` : 'Invalid request.';
    return new Problem('invalid', message, { errors: errors.slice(0, 100) });
  }

  /** The same problem; a 400 that names properties names them as the body does, see `sentAs`. */
  renamed(names: ReadonlyMap<string, string>): Problem {
    const { errors } = this.details;
    if (this.code !== 'invalid' || !errors) return this;
    return Problem.invalid(
      errors.map(({ property, errorMessage }) => ({
        property: sentAs(property, names),
        errorMessage,
      })),
    );
  }

  /** The same problem, with which of many changes is at fault. */
  from(origin: string): Problem {
    return new Problem(this.code, this.message, { ...this.details, origin });
  }
}
