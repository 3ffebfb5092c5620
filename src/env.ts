import type { Idempotency } from './http/idempotency.ts';
import type { Database } from './store/database.ts';
import type { Transaction } from './store/transaction.ts';

/** Set with `wrangler secret put`; never in wrangler.toml. */
export interface Secrets {
  /** The first API key, with every scope. */
  ROOT_API_KEY: string;
  /** Base64 of the 32 bytes that the secrets of warehouse connections, and sessions of the page, are sealed with. */
  SEALING_KEY?: string;
}

/** Set by `npm run dev` and the tests alone. */
interface Local {
  /** Lifts the limit of changes a minute. */
  CHANGE_LIMIT?: 'none';
}

/** What the platform hands to the Worker. */
export type Platform = Omit<Env, 'CHANGES'> & Partial<Env> & Secrets & Local;

/** The environment of the service: authentication, limits, headers, handlers. */
export interface Service {
  Bindings: Platform & {
    /** The transaction of many changes, in which each of them runs, and who makes them. */
    many?: { tx: Transaction; actor: Actor };
  };
  Variables: {
    actor: Actor;
    /** What only the caller and this Worker know: the API key, or what stands for it in a session. */
    secret: string;
    db: Database;
    requestId: string;
    idempotency: Idempotency | undefined;
  };
}

export const scopes = ['read', 'write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Who makes a call: the API key behind it. */
export interface Actor {
  id: string;
  name: string;
  email: string | null;
  scopes: readonly Scope[];
}
