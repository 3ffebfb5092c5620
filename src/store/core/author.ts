/** Who acts on the store. */
interface Actor {
  id: string;
  name: string;
  email: string | null;
  scopes: readonly string[];
}

/** Who changes something, when, and in which request. */
export interface Author {
  actor: Actor;
  /** Epoch milliseconds; one for all changes of a request. */
  time: number;
  /** A UUID; answers show it with the time behind it, by which the log finds it without an index. */
  requestID: string;
  /** Why, in words that history keeps; null for none. */
  note: string | null;
}
