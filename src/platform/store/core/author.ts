interface Actor {
  id: string;
  name: string;
  email: string | null;
  scopes: readonly string[];
}

export interface Author {
  actor: Actor;
  /** Epoch milliseconds; the same for all changes of a request. */
  time: number;
  /** A UUID. Responses append the time to it, so that the audit log finds the request without an index. */
  requestID: string;
  note: string | null;
}
