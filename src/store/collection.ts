import { and, type SQL, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type { Resource } from '../env.ts';
import { requireMatch } from '../http/conditional.ts';
import { Problem } from '../problem.ts';
import type { Entity, EntityTable } from './columns.ts';
import type { Anchor, Reference } from './naming.ts';
import type { Newest } from './reads.ts';
import type { Draft, Transaction } from './transaction.ts';

/** One kind of entity: where it is stored, what it refers to, what can be referred to. */
export interface Kind<E extends Entity> {
  /** In singular: `gate`. Names the kind in history, references and the audit log. */
  kind: string;
  /** How messages call it: `Gate`. */
  title: string;
  table: EntityTable;
  /** The entity as lists read it, as JSON; without what is too large to be read for each of a page. */
  listed?: SQL;
  /** Every other entity that this one names, with the property that names it. */
  references?(entity: E): Reference[];
  /** Whether others may refer to it; an entity that is archived is not open to new references. */
  isReferable?(entity: E): boolean;
  /** Named parts of it that others may refer to. */
  parts?(entity: E): Anchor[];
  /** What an earlier version becomes when it is restored; properties that other entities own stay as they are. */
  restored?(snapshot: E, current: E | undefined): E;
  /** Checks a change against other entities, or stages what must change with it; `after` is absent on removal. */
  entails?(tx: Transaction, before: E | undefined, after: E | undefined): Promise<void>;
}

export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
}

/** A page of a list, and how many items there are on all pages. */
export interface Page<E> extends PageRequest {
  items: E[];
  totalItems: number;
}

/** What a list is of: a page, of the entities that pass all filters. */
export interface ListRequest {
  page: PageRequest;
  filters?: (SQL | undefined)[];
  /** An entity that must exist, or the list is a 404. */
  of?: { collection: Pick<Collection<Entity>, 'kind' | 'title' | 'table'>; id: string };
}

type Call = Context<Resource>;

/** Everything the API does with one kind of entity; each change is staged, and committed as one batch at the end. */
export interface Collection<E extends Entity> extends Required<Kind<E>> {
  /** Reads one; 404 where there is none. One round trip. */
  get(c: Call, id: string): Promise<E>;
  /** Reads a page, newest first, and how many match in all. One round trip. */
  list(c: Call, request: ListRequest): Promise<Page<E>>;
  /** Creates one; 409 where the id is taken. */
  create(c: Call, draft: Draft<E>): Promise<E>;
  /** Creates one from what `make` reads; that shares a round trip with whether the id is free. */
  createFrom(c: Call, id: string, make: () => Promise<Draft<E>>): Promise<E>;
  /** Changes one under the request's If-Match: `next` computes the new state, and may be called again. */
  change(c: Call, id: string, action: string, next: (entity: E) => E): Promise<E>;
  /** Changes one under the request's If-Match, or creates it from `draft` where there is none. */
  upsert(c: Call, id: string, draft: () => Draft<E>, next: (entity: E) => E): Promise<E>;
  /** Removes one under the request's If-Match; its history stays. */
  remove(c: Call, id: string): Promise<E>;
  /** Makes an earlier version the current one, under the request's If-Match; brings back a removed entity. */
  restore(c: Call, id: string, version: number): Promise<E>;
}

const missing = (title: string, id: string) =>
  new Problem('not_found', `There is no ${title.toLowerCase()} with the id ${id}.`);

/** Describes a kind of entity; what it needs not say is filled in. */
export function collection<E extends Entity>(kind: Kind<E>): Collection<E> {
  const { table } = kind;

  async function changeFrom(c: Call, before: E, action: string, next: (entity: E) => E) {
    requireMatch(c, before);
    const after = c.env.tx.update(self, before, next(before), action);
    if (after !== before) await self.entails(c.env.tx, before, after);
    return after;
  }

  async function createAfter(c: Call, newest: Newest | undefined, draft: Draft<E>) {
    if (newest && newest.action !== 'delete') throw new Problem('taken', 'Name is already in use');
    const after = c.env.tx.create(self, draft, (newest?.version ?? 0) + 1);
    await self.entails(c.env.tx, undefined, after);
    return after;
  }

  const self: Collection<E> = {
    listed: sql`${table.data}`,
    references: () => [],
    isReferable: () => true,
    parts: () => [],
    restored: (snapshot) => snapshot,
    entails: async () => {},
    ...kind,

    async get(c, id) {
      const entity = await c.env.tx.find(self, id);
      if (!entity) throw missing(self.title, id);
      return entity;
    },

    async list(c, { page: { page, limit }, filters = [], of }) {
      const where = and(...filters) ?? sql`true`;
      const parent = of
        ? sql`select 1 as found from ${of.collection.table} where id = ${of.id}`
        : sql`select 1 as found`;
      const [found, counts, rows] = await c.env.tx.read<
        [{ found: number }, { total: number }, { data: string }]
      >(
        sql`${parent}`,
        sql`select count(*) as total from ${table} where ${where}`,
        sql`select ${self.listed} as data from ${table} where ${where}
            order by ${table.createdTime} desc, ${table.id} limit ${limit} offset ${(page - 1) * limit}`,
      );
      if (of && found.length === 0) throw missing(of.collection.title, of.id);
      const items = rows.map((row): E => JSON.parse(row.data));
      return { items, totalItems: counts[0]?.total ?? 0, page, limit };
    },

    create: (c, draft) => self.createFrom(c, draft.id, async () => draft),

    async createFrom(c, id, make) {
      const { tx } = c.env;
      const [newest, draft] = await Promise.all([tx.newest(self, id), make()]);
      return createAfter(c, newest, draft);
    },

    async change(c, id, action, next) {
      return changeFrom(c, await self.get(c, id), action, next);
    },

    async upsert(c, id, draft, next) {
      const { tx } = c.env;
      const [before, newest] = await Promise.all([tx.find(self, id), tx.newest(self, id)]);
      if (before) return changeFrom(c, before, 'update', next);
      requireMatch(c, undefined);
      return createAfter(c, newest, draft());
    },

    async remove(c, id) {
      const before = await self.get(c, id);
      requireMatch(c, before);
      c.env.tx.remove(self, before);
      await self.entails(c.env.tx, before, undefined);
      return before;
    },

    async restore(c, id, version) {
      const { current, newest, snapshot } = await c.env.tx.findVersion(self, id, version);
      if (!snapshot)
        throw new Problem('not_found', `The ${self.kind} ${id} has no version ${version}.`);
      requireMatch(c, current);
      const after = c.env.tx.restore(self, current, self.restored(snapshot, current), newest);
      if (after !== current) await self.entails(c.env.tx, current, after);
      return after;
    },
  };
  return self;
}
