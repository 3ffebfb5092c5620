import type { Database } from './store/database.ts';
import type { Transaction } from './store/transaction.ts';

/** Set with `wrangler secret put`; never in wrangler.toml. */
export interface Secrets {
  /** The first API key, with every scope. */
  ROOT_API_KEY: string;
}

/** What the platform hands to the Worker. */
export type Platform = Partial<Pick<Env, 'CHANGES'>> & Omit<Env, 'CHANGES'> & Secrets;

/** The environment of the whole service: authentication, limits, headers. */
export interface Service {
  Bindings: Platform;
  Variables: { actor: Actor; db: Database; requestId: string };
}

/** The environment of a resource's handlers: each of them runs inside one transaction. */
export interface Resource {
  Bindings: { tx: Transaction };
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
