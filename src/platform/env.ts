import type { Author } from './store/core/author.ts';
import type { Transaction } from './store/core/transaction.ts';
import type { Database } from './store/sql/database.ts';
import type { Statement } from './store/sql/statement.ts';

interface Secrets {
  /** The first API key, with all scopes. */
  ROOT_API_KEY: string;
  /** Base64 of 32 bytes: seals the secrets of warehouse connections, and sessions of the console. */
  SEALING_KEY?: string;
}

/** Set only by `npm run dev` and by tests. */
interface Local {
  CHANGE_LIMIT?: 'none';
  LOCAL_SERVER_KEY?: string;
  LOCAL_CLIENT_KEY?: string;
  /** Host names of a local server in addition to loopback addresses, separated by commas. */
  LOCAL_HOSTS?: string;
  /** Allows webhooks to any URL, including localhost. */
  WEBHOOK_URLS?: 'any';
}

interface OptionalBindings {
  /** Comma-separated origins whose pages may call the API from a browser. */
  CONSOLE_ORIGINS?: string;
  /** Limits the requests of an address with a client key. */
  EVALUATIONS?: RateLimit;
}

export type Platform = Omit<Env, 'CHANGES' | 'ROWS'> &
  Partial<Env> &
  Secrets &
  OptionalBindings &
  Local;

interface RequestBatch {
  tx: Transaction;
  actor: ScopedActor;
  requestId: string;
  counted: Set<string>;
  /** Whether a trial run only collects reads: nothing is counted or reported. */
  isTrial: boolean;
}

export interface Service {
  Bindings: Platform & {
    many?: RequestBatch;
  };
  Variables: {
    actor: ScopedActor;
    /** Known only to the caller and this Worker: the API key, or its substitute in a session. */
    secret: string;
    db: Database;
    requestId: string;
    idempotency: Idempotency | undefined;
    success: Success | undefined;
    /** The paths of the body members that validation removed. */
    dropped: (readonly (string | number)[])[] | undefined;
    kept: object | undefined;
  };
}

/** A success message: `Gate` `enabled`, or a full sentence. */
export type Success =
  | string
  | {
      title: string;
      done: string;
      /** The end of the documented message if each response has its own: `, 1 entry removed`. */
      ending?: string;
    };

export interface Idempotency {
  /** Returns statements that store a response, for the batch of its changes. */
  keep(author: Author, response: Response): Promise<Statement[]>;
  /** Returns the first response, if any. @throws Problem 422 if it belongs to another request */
  find(): Promise<Response | undefined>;
}

/** The scopes of a key: management (`read`, `write`, `admin`), or evaluation (`evaluate`, `specs`). */
export const scopes = ['read', 'write', 'admin', 'evaluate', 'specs'] as const;
export type KeyScope = (typeof scopes)[number];

export type ScopedActor = Author['actor'] & { scopes: readonly KeyScope[] };
