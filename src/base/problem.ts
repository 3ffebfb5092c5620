import type { ContentfulStatusCode } from 'hono/utils/http-status';

interface ProblemType {
  status: ContentfulStatusCode;
  title: string;
  meaning: string;
}

/** Every error of the API; the code is the last part of the problem's `type`. */
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
      'A property of the path, query or body is missing, has the wrong type or is out of bounds. `errors` names each one. Nothing was changed.',
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
    meaning:
      'The SERVICE-API-KEY header is missing, or its key is unknown, deactivated or expired.',
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
    meaning: 'The path exists, but not with this method. The Allow header lists its methods.',
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
      'The new name is in use. Choose another, or send `merge: true` to merge the two. Nothing was changed.',
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
      'Concurrent changes to the same entities kept conflicting. Nothing was changed; send the request again.',
  },
  precondition: {
    status: 412,
    title: 'Changed in the meantime',
    meaning:
      'The If-Match header does not match the current version. Read the entity again, and repeat the change if it still applies.',
  },
  too_large: {
    status: 413,
    title: 'Too large',
    meaning:
      'Maximum sizes: a body 1 MiB, many changes 5 MiB, an import 10 MiB, a stored entity 1.5 MB. The database accepts 8 MB at once: all changes of a request with their history. The message states how to divide the request.',
  },
  media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning:
      'Send bodies with Content-Type: application/json; an import may also use application/x-ndjson.',
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
      'The API key made too many changes in the last minute, or the address sent too many requests. Wait for Retry-After.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault of the service. Find it in the logs by the request id.',
  },
  unavailable: {
    status: 503,
    title: 'Database not available',
    meaning:
      'The database is overloaded or cannot be reached. The message states whether the change was stored. Wait for Retry-After.',
  },
  incomplete: {
    status: 503,
    title: 'Deployment incomplete',
    meaning:
      'The deployment lacks a part: its database is not bound or not migrated, or a secret is not set. The message contains the command that fixes it. Nothing was changed.',
  },
  events_limited: {
    status: 503,
    title: 'Too many events',
    meaning:
      'The address sent too many events or requests with a client key. Nothing was stored. SDKs keep the events, and send them again after Retry-After.',
  },
  sealing: {
    status: 503,
    title: 'Sealing key missing',
    meaning:
      'Secrets are stored encrypted, and the Worker secret SEALING_KEY is missing or not 32 bytes in base64. Nothing was changed.',
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
  members?: Record<string, unknown>;
  /** The prefix of the faulty change among many, such as `changes.3.`. */
  origin?: string;
}

/** Returns the name of a property in the request body; `names` maps stored prefixes to prefixes in the body. */
export function sentAs(property: string, names: ReadonlyMap<string, string>): string {
  for (const [name, sent] of names)
    if (property.startsWith(name)) return `${sent}${property.slice(name.length)}`;
  return property;
}

/** The only error type of the service: responses follow RFC 9457. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }

  /** Returns 503 for a database that can be retried after a second. */
  static unavailable(message: string): Problem {
    return new Problem('unavailable', message, { headers: { 'Retry-After': '1' } });
  }

  static contention(): Problem {
    return new Problem(
      'contention',
      'Concurrent changes kept conflicting with this one; send the request again.',
    );
  }

  static property(property: string, errorMessage: string): Problem {
    return Problem.invalid([{ property, errorMessage }]);
  }

  /** Returns 400 with up to 100 faulty properties, and their total number. */
  static invalid(errors: PropertyError[]): Problem {
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    const message = first ? `${first.property} ${first.errorMessage}${more}.` : 'Invalid request.';
    return new Problem('invalid', message, { errors: errors.slice(0, 100) });
  }

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

  from(origin: string): Problem {
    return new Problem(this.code, this.message, { ...this.details, origin });
  }
}
