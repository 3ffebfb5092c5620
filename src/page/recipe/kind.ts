import type { ComponentChildren } from 'preact';
import type { Call } from '../api.ts';
import { stepFor } from '../location.ts';
import type { Entity } from '../types.ts';
import type { IconName } from '../ui/icon.tsx';
import type { StatusLook } from '../ui/status.tsx';
import { titleOf } from '../words.ts';

export type Values = Record<string, unknown>;

/** How a property is shown and typed in. */
export interface FieldSpec {
  property: string;
  /** A text, where nothing is said. */
  as?:
    | 'choice'
    | 'code'
    | 'days'
    | 'json'
    | 'long'
    | 'metrics'
    | 'number'
    | 'scopes'
    | 'secret'
    | 'text'
    | 'time'
    | 'toggle'
    | 'tokens'
    | 'value';
  label?: string;
  hint?: string;
  /** What there is to choose from, with the words for it; of tokens what is suggested. */
  options?: Record<string, string>;
  /** Of a text or tokens: the path of the kind whose ids they are. */
  kind?: string;
  /** Of a text or tokens: the path of the names that are suggested, such as `tags`. */
  names?: string;
  /** What stands for nothing; undefined where nothing needs no standing for. */
  empty?: unknown;
  unit?: string;
  /** How many of what is stored make one of what is typed: 60000 of milliseconds that are typed as minutes. */
  scale?: number;
  /** Whether the button waits for it. */
  isNeeded?: boolean;
  /** The property that will do in its place. */
  or?: string;
  placeholder?: string;
}

/** What is edited: an entity, a part of one, or a new one. */
export interface Edited<V extends object> {
  /** As it stands on the screen, stored or not. */
  value: V;
  /** Changes some of its properties. */
  set(edits: Values): void;
  /** Why nothing can be changed; undefined where it can. */
  lock?: string;
  /** What the server said of a property. */
  errors?: Map<string, string>;
}

/** An entity as it is edited. */
export interface Editing<E extends Entity> extends Edited<E> {
  stored: E;
}

export interface Tab<E extends Entity> {
  /** The last step of its address; empty for the first. */
  path: string;
  title: string;
  View(props: { editing: Editing<E> }): ComponentChildren;
}

/** What can be done with an entity, besides editing it. */
export interface Action {
  /** The last step of its path in the API; empty, or `delete`, for that of the entity itself. */
  name: string;
  label: string;
  /** What comes of it, in a sentence. */
  says: string;
  look?: 'primary' | 'danger';
  inMenu?: boolean;
  /** PUT where absent. */
  method?: Call['method'];
  fields?: FieldSpec[];
  /** What the body holds besides the fields, or before they are changed. */
  values?: Values;
  /** Whether it makes something else, and leaves the entity as it is: no version of it is meant. */
  makes?: boolean;
  /** Where the page goes after it, from what was answered. */
  goesTo?(data: Values): string;
  /** What the answer shows this once. */
  reveals?: string;
  /** Reasons against it: it asks again. */
  doubts?: string[];
}

/** What comes of a new entity. */
export interface Ahead {
  /** Why it cannot be said yet. */
  waits?: string;
  doubts?: string[];
  shown?: ComponentChildren;
}

/** An action for several at once. */
export interface BulkAction extends Action {
  /** What comes of it for more than one, in a sentence. */
  saysOfMany: string;
}

interface Column<E extends Entity> {
  title: string;
  render(entity: E): ComponentChildren;
  /** Whether it is left out where there is little room. */
  isExtra?: boolean;
}

export interface Filter {
  name: string;
  label: string;
  /** The words for the value that sends no parameter: any, where nothing is said. */
  all?: string;
  options: Record<string, string>;
}

/** Parts of an entity that have a path of their own in the API. */
export interface SavedApart<E extends Entity> {
  property: string;
  path: string;
  method: Call['method'];
  body(before: E, after: E): object;
  /** Whether it is stored before the rest, which may leave out what this names no more. */
  isFirst?(before: E, after: E): boolean;
}

/**
 * A kind of entity as data: all pages of it are made from this. Adding a kind is one of these, and one line
 * in each of `kinds/all.ts`, `navigation.ts` and `history_words.ts`.
 */
export interface Kind<E extends Entity = Entity> {
  /** In the addresses of the page. */
  path: string;
  /** In those of the API, where that is another. */
  apiPath?: string;
  one: string;
  many: string;
  icon: IconName;
  /** What it is for, for who has none yet. */
  about: string;
  columns: Column<E>[];
  filters?: Filter[];
  /** Whether there is just one: it is read and changed at the path of its kind. */
  isSingle?: boolean;
  /** The scope that reading and changing it needs, where that is neither `read` nor `write`. */
  scope?: 'admin';
  canSearch?: boolean;
  /** What one is called that has no name of its own. */
  nameOf?(entity: E): string;
  /** Whether nothing can name one, so that nothing is said of it. */
  isUnnamed?: boolean;
  status?(entity: E): StatusLook;
  /** Further facts for the line under its name. */
  facts?(entity: E): ComponentChildren;
  /** What stands between the name and the tabs. */
  lead?(entity: E): ComponentChildren;
  tabs: Tab<E>[];
  /** What can be done with one besides deleting it. */
  actions?(entity: E): Action[];
  /** Actions for several at once. */
  bulk?: BulkAction[];
  /** The fields of a new one; those that are not here have their defaults. Absent where none is made by hand. */
  creation?: {
    fields: FieldSpec[];
    values?: Values;
    /** What else changes with what is typed. */
    follows?(edits: Values): Values;
    body?(values: Values): object;
    reveals?: string;
    /** What comes of it, shown below the fields. */
    useAhead?(values: Values): Ahead;
  };
  /** Reads one, where its path alone does not answer all of it. */
  load?(path: string): Promise<E>;
  apart?: SavedApart<E>[];
  /** How the rest is sent: PATCH where absent. */
  method?: Call['method'];
  /** Reasons against a change: it asks again. */
  doubts?(before: E, after: E): string[];
  /** Why it cannot be changed in its state; undefined where it can. */
  lock?(entity: E): string | undefined;
}

/** The path of a kind in the API. */
export const apiOf = ({ path, apiPath = path }: Pick<Kind, 'path' | 'apiPath'>) => `/${apiPath}`;

/** The path of an entity in the API, of its history and of what is done with it. */
export const pathOf = (kind: Pick<Kind, 'path' | 'apiPath'>, id: string) =>
  `${apiOf(kind)}/${encodeURIComponent(id)}`;

/** Where an entity is read and changed. */
export const ownPathOf = (kind: Pick<Kind, 'path' | 'apiPath' | 'isSingle'>, id: string) =>
  kind.isSingle ? apiOf(kind) : pathOf(kind, id);

/** The page of an entity. */
export const pageOf = ({ path, isSingle }: Pick<Kind, 'path' | 'isSingle'>, id: string) =>
  isSingle ? `/${path}` : `/${path}/${stepFor(id)}`;

/** What an entity is called. */
export const nameIn = <E extends Entity>(kind: Kind<E>, entity: E) =>
  kind.nameOf?.(entity) ?? titleOf(entity);
