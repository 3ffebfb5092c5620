import type { Author } from './store/core/author.ts';
import type { Transaction } from './store/core/transaction.ts';
import type { Database } from './store/sql/database.ts';
import type { Statement } from './store/sql/statement.ts';

/** Set by `npm run deploy` or `wrangler secret put`; never in wrangler.toml. */
interface Secrets {
  /** The first API key, with every scope. */
  ROOT_API_KEY: string;
  /** Base64 of the 32 bytes that the secrets of warehouse connections, and sessions of the page, are sealed with. */
  SEALING_KEY?: string;
}

/** Set by `npm run dev` and the tests alone. */
interface Local {
  /** Lifts the limit of changes a minute. */
  CHANGE_LIMIT?: 'none';
  /** The keys of a server and of a client that evaluate everything. */
  LOCAL_SERVER_KEY?: string;
  LOCAL_CLIENT_KEY?: string;
  /** The names that requests may call a local server by, besides loopback addresses, separated by commas. */
  LOCAL_HOSTS?: string;
  /** Lets webhooks go to any URL, also of this machine. */
  WEBHOOK_URLS?: 'any';
}

/** Set in wrangler.toml or in the dashboard, where it is wanted. */
interface Settings {
  /** The origins whose pages may call the API from a browser, separated by commas. */
  CONSOLE_ORIGINS?: string;
  /** Limits how often an address may ask with a client key. */
  EVALUATIONS?: RateLimit;
}

/** What the platform hands to the Worker. */
export type Platform = Omit<Env, 'CHANGES' | 'ROWS'> & Partial<Env> & Secrets & Settings & Local;

/** What one of many changes runs in: the transaction of them all, who makes them, and by which request. */
interface Many {
  tx: Transaction;
  actor: Actor;
  requestId: string;
  /** The places of those whose rows were counted against the limit. */
  counted: Set<string>;
  /** Whether it is only tried, to read what it needs: nothing is counted, or said of what fails. */
  isTrial: boolean;
}

/** The environment of the service: authentication, limits, headers, handlers. */
export interface Service {
  Bindings: Platform & {
    /** What each of many changes runs in. */
    many?: Many;
  };
  Variables: {
    actor: Actor;
    /** What only the caller and this Worker know: the API key, or what stands for it in a session. */
    secret: string;
    db: Database;
    requestId: string;
    idempotency: Idempotency | undefined;
    /** What the operation that is called says of its success. */
    success: Success | undefined;
    /** The members of the body that are not kept, each by its path. */
    dropped: (readonly (string | number)[])[] | undefined;
    /** The body as it is kept; absent if the operation takes none. */
    kept: object | undefined;
  };
}

/** What an operation says of its success: `Gate` `enabled`, or a sentence of its own. */
export type Success =
  | string
  | {
      /** What it is about. */
      title: string;
      /** What was done with it. */
      done: string;
      /** How the sentence ends in the document, where each answer has an end of its own: `, 1 entry removed`. */
      ending?: string;
    };

/** The answers of requests with one Idempotency-Key. */
export interface Idempotency {
  /** Statements that keep an answer, for the batch of its effect. */
  keep(author: Author, response: Response): Promise<Statement[]>;
  /** The first answer, if there was one; 422 where it answered another request. */
  find(): Promise<Response | undefined>;
}

/** What a key may do: manage (`read`, `write`, `admin`), or ask as an application does (`evaluate`, `specs`). */
export const scopes = ['read', 'write', 'admin', 'evaluate', 'specs'] as const;
export type Scope = (typeof scopes)[number];

/** Who makes a call: the API key behind it. */
export type Actor = Author['actor'] & { scopes: readonly Scope[] };
