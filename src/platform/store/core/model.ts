import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Anchor, Reference } from '../../../base/naming.ts';

export interface Model {
  mentions: Mentions;
  registration: Registration;
  dependencies: Dependencies;
  /** Properties that hold sets of texts, so that their order in a body is irrelevant. */
  sets: ReadonlySet<string>;
  /** Whether a reference may have no target, like in the trigger on references. */
  mayDangle(reference: { toKind: string; fromKind: string }): boolean;
}

interface MentionFields {
  properties: readonly string[];
  condition?: string;
  /** Whether totals count the entities that mention each name. */
  isCounted?: boolean;
  /** Whether unregistered names are valid even if registration is required. */
  isUnchecked?: boolean;
  builtIn?: string;
}

/** Where entities mention names without a reference. */
export interface Mentions {
  fields: Readonly<Record<string, MentionFields>>;
  /** Properties whose values belong to users, so that no name is searched in them. */
  opaque: ReadonlySet<string>;
  texts: ReadonlySet<string>;
  labels: readonly string[];
}

export interface Registration {
  /** A column of a table with one row, in words of the database: whether names must be registered. */
  isRequired: { table: SQLWrapper; column: SQLWrapper };
  /** Completes the message for an unregistered name: "which is not registered, and …". */
  reason: string;
  /** A kind of names that need no registration while the table is empty. */
  optional: { kind: string; table: SQLWrapper };
}

export interface Dependencies {
  /** Properties of references through which an entity depends on the referenced one. */
  properties: ReadonlySet<string>;
  /** Properties of references to entities that depend on this one. */
  dependents: ReadonlySet<string>;
  /** A property of references on which other entities depend, and those entities. */
  delegated: { property: string; dependentsOf(references: Reference[]): Anchor[] };
  /** Properties of references to the target of a release, and to the dependencies of its rules. */
  releases: { targets: ReadonlySet<string>; phases: string };
  /** Dependents that are read from their own rows, because references are indexed only by their target. */
  rows: readonly DependentRows[];
}

interface DependentRows {
  kind: SQL;
  id: SQL | SQLiteColumn;
  /** The SQL join of the rows with `walk`. */
  join: SQL;
}
