import type { ComponentChildren } from 'preact';
import type { Answer, Call } from '../base/api.ts';
import type { Entity } from '../base/types.ts';
import { titleOf } from '../base/words.ts';
import type { IconName } from '../ui/icon.tsx';
import type { StatusLook } from '../ui/status_look.ts';

export type EntityValues = Record<string, unknown>;

export interface FieldSpec {
  property: string;
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
    | 'switches'
    | 'text'
    | 'time'
    | 'toggle'
    | 'tokens'
    | 'value';
  label?: string;
  hint?: string;
  options?: Record<string, string>;
  kind?: string;
  names?: string;
  empty?: unknown;
  unit?: string;
  /** The stored units in one typed unit: 60,000 ms in a minute. */
  scale?: number;
  isNeeded?: boolean;
  or?: string;
  placeholder?: string;
}

export interface Edited<V extends object> {
  value: V;
  set(edits: EntityValues): void;
  lock?: string;
  errors?: Map<string, string>;
}

export interface Editing<E extends Entity> extends Edited<E> {
  stored: E;
}

export interface Tab<E extends Entity> {
  path: string;
  title: string;
  View(props: { editing: Editing<E> }): ComponentChildren;
}

export interface Action {
  name: string;
  label: string;
  effect: string;
  look?: 'primary' | 'danger';
  inMenu?: boolean;
  method?: Call['method'];
  fields?: FieldSpec[];
  values?: EntityValues;
  makes?: boolean;
  goesTo?(data: EntityValues): string;
  reveals?: string;
  doubts?: string[];
  why?: string;
  confirms?: string;
}

export interface Preview {
  waits?: string;
  doubts?: string[];
  shown?: ComponentChildren;
}

export interface Template {
  title: string;
  text: string;
  values: EntityValues;
}

export interface BulkAction extends Action {
  effectOnMany: string;
}

interface ListColumn<E extends Entity> {
  title: string;
  render(entity: E): ComponentChildren;
  isExtra?: boolean;
}

export interface Filter {
  name: string;
  label: string;
  all?: string;
  options: Record<string, string>;
  isOpen?: boolean;
}

export interface SavedApart<E extends Entity> {
  property: string;
  path: string;
  method: Call['method'];
  body(before: E, after: E): object;
  isFirst?(before: E, after: E): boolean;
}

export interface TableProps<E extends Entity = Entity> {
  kind: KindPage<E>;
  rows: E[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  isOld: boolean;
}

export type KindGroup = 'Flags' | 'Releases' | 'Experiments' | 'Connections' | 'Admin' | 'Settings';

/** The description of a resource's pages. A new one is added to `kinds/all.ts`. */
export interface KindPage<E extends Entity = Entity> {
  path: string;
  apiPath?: string;
  kind: string;
  group: KindGroup;
  one: string;
  many: string;
  inHistory?: string;
  icon: IconName;
  about: string;
  columns: ListColumn<E>[];
  filters?: Filter[];
  Rows?(props: TableProps<E>): ComponentChildren;
  listing?: { order: string; load(path: string): Promise<Answer<Entity[]>> };
  isSingle?: boolean;
  scope?: 'admin';
  canSearch?: boolean;
  nameOf?(entity: E): string;
  isUnnamed?: boolean;
  status?(entity: E): StatusLook;
  facts?(entity: E): ComponentChildren;
  lead?(entity: E): ComponentChildren;
  tabs: Tab<E>[];
  /** The tabs of one entity, if they depend on its state. The first one is displayed at the entity's own address. */
  tabsOf?(entity: E): Tab<E>[];
  actions?(entity: E): Action[];
  bulk?: BulkAction[];
  creation?: {
    page?: string;
    fields: FieldSpec[];
    values?: EntityValues;
    follows?(edits: EntityValues): EntityValues;
    body?(values: EntityValues): object;
    reveals?: string;
    usePreview?(values: EntityValues): Preview;
    templates?: Template[];
    /** The foot of an empty list: how an application reads an entity. */
    Snippet?(): ComponentChildren;
  };
  load?(path: string): Promise<E>;
  apart?: SavedApart<E>[];
  method?: Call['method'];
  doubts?(before: E, after: E): string[];
  lock?(entity: E): string | undefined;
}

/** Returns the API path of a resource. */
export const apiOf = ({ path, apiPath = path }: Pick<KindPage, 'path' | 'apiPath'>) =>
  `/${apiPath}`;

/** Returns the API path of an entity's history and actions. */
export const pathOf = (kind: Pick<KindPage, 'path' | 'apiPath'>, id: string) =>
  `${apiOf(kind)}/${encodeURIComponent(id)}`;

/** Returns the API path at which an entity is read and changed. */
export const ownPathOf = (kind: Pick<KindPage, 'path' | 'apiPath' | 'isSingle'>, id: string) =>
  kind.isSingle ? apiOf(kind) : pathOf(kind, id);

/** Returns the display name of an entity. */
export const nameIn = <E extends Entity>(kind: KindPage<E>, entity: E) =>
  kind.nameOf?.(entity) ?? titleOf(entity);
