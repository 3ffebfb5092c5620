import type { Schema, SchemaDraft } from '@cfworker/json-schema';
import type { JSONObject, JSONValue } from '../../base/json.ts';
import { isObject } from '../../base/value_types.ts';
import type { Spend } from '../../engine/patterns/patterns.ts';
import { first, type MisfitPath, type SchemaMisfit } from './misfit.ts';
import { canonical, type Prepared, plainMisfit, preparePart, type SchemaPart } from './part.ts';

/** The evaluated properties or items of one value, for `unevaluated…`. */
type Seen = Set<string | number>;

/** The depth of nested or referring schemas for one part of a value. */
const maxDepth = 500;

/** Validates within a budget of steps. The package's own validator backtracks, and cannot be stopped. */
export class SchemaWalk {
  readonly #prepared = new Map<Schema, Prepared>();
  #depth = 0;

  constructor(
    readonly parts: Record<string, SchemaPart>,
    readonly draft: SchemaDraft,
    readonly spend: Spend,
  ) {}

  misfit(
    part: SchemaPart,
    value: JSONValue,
    path?: MisfitPath,
    seen: Seen = new Set(),
  ): SchemaMisfit | undefined {
    this.spend(2);
    if (part === true) return undefined;
    if (part === false) return { path, error: 'No value is allowed' };
    if (this.#depth >= maxDepth) throw new Error('it refers to itself too often');
    this.#depth++;
    try {
      return this.#misfitOf(part, value, path, seen);
    } finally {
      this.#depth--;
    }
  }

  #misfitOf(part: Schema, value: JSONValue, path: MisfitPath | undefined, seen: Seen) {
    const within = (inner: SchemaPart | undefined) => this.#within(inner, value, path, seen);
    const referred = within(this.#target(part.$ref, part.__absolute_ref__));
    const isAlone = part.$ref !== undefined && (this.draft === '4' || this.draft === '7');
    if (referred || isAlone) return referred;
    const prepared = this.#prepared.get(part) ?? preparePart(part, this.spend);
    this.#prepared.set(part, prepared);
    const plain = plainMisfit(prepared, value, this.draft, this.spend);
    if (plain) return { path, error: plain };
    return (
      within(this.#target(part.$recursiveRef, part.__absolute_recursive_ref__)) ??
      this.#combined(part, value, path, seen) ??
      (isObject(value) ? this.#object(part, prepared, value, path, seen) : undefined) ??
      (Array.isArray(value) ? this.#array(part, value, path, seen) : undefined)
    );
  }

  #target(reference: string | undefined, absolute: string | undefined): SchemaPart | undefined {
    return reference === undefined ? undefined : this.parts[absolute ?? reference];
  }

  /** Applies a part to the same value; its evaluated members count if the value satisfies it. */
  #within(
    part: SchemaPart | undefined,
    value: JSONValue,
    path: MisfitPath | undefined,
    seen: Seen,
  ) {
    if (part === undefined) return undefined;
    const own: Seen = new Set();
    const found = this.misfit(part, value, path, own);
    if (found) return found;
    this.spend(own.size / 8);
    for (const key of own) seen.add(key);
    return undefined;
  }

  #combined(part: Schema, value: JSONValue, path: MisfitPath | undefined, seen: Seen) {
    const within = (inner: SchemaPart | undefined) => this.#within(inner, value, path, seen);
    const { allOf = [], anyOf, oneOf, not } = part;
    for (const inner of allOf) {
      const found = within(inner);
      if (found) return found;
    }
    if (anyOf && anyOf.filter((inner) => !within(inner)).length === 0)
      return { path, error: 'Instance does not match any subschemas' };
    const matches = oneOf?.filter((inner) => !within(inner)).length ?? 1;
    if (matches !== 1)
      return { path, error: `Instance does not match exactly one subschema (${matches} matches)` };
    if (not !== undefined && !this.misfit(not, value, path))
      return { path, error: 'Instance matched "not" schema' };
    return part.if === undefined ? undefined : within(within(part.if) ? part.else : part.then);
  }

  #object(
    part: Schema,
    { patterns }: Prepared,
    value: JSONObject,
    path: MisfitPath | undefined,
    seen: Seen,
  ): SchemaMisfit | undefined {
    const keys = Object.keys(value);
    this.spend(keys.length / 4);
    const own: Seen = new Set();
    const apply = (inner: SchemaPart | undefined, key: string) => {
      if (inner === undefined) return undefined;
      own.add(key);
      return this.misfit(inner, value[key] ?? null, { in: path, key });
    };
    const { properties = {}, propertyNames, additionalProperties, unevaluatedProperties } = part;
    const found =
      (propertyNames === undefined
        ? undefined
        : first(keys, (key) => this.misfit(propertyNames, key, { in: path, key }))) ??
      this.#dependent(part, value, path, seen) ??
      first(keys, (key) =>
        Object.hasOwn(properties, key) ? apply(properties[key], key) : undefined,
      ) ??
      first(patterns, ({ matches, part: inner }) =>
        first(keys, (key) => (matches(key, this.spend) ? apply(inner, key) : undefined)),
      );
    if (found) return found;
    const others = keys.filter((key) => !own.has(key));
    const added = first(others, (key) => apply(additionalProperties, key));
    for (const key of own) seen.add(key);
    if (added || unevaluatedProperties === undefined) return added;
    const left = keys.filter((key) => !seen.has(key));
    for (const key of left) seen.add(key);
    return first(left, (key) => apply(unevaluatedProperties, key));
  }

  #dependent(part: Schema, value: JSONObject, path: MisfitPath | undefined, seen: Seen) {
    const { dependentSchemas = {}, dependencies = {} } = part;
    const all: [string, SchemaPart | string[]][] = [
      ...Object.entries(dependentSchemas),
      ...Object.entries(dependencies),
    ];
    this.spend(all.length);
    return first(all, ([key, needed]) => {
      if (!Object.hasOwn(value, key)) return undefined;
      if (!Array.isArray(needed)) return this.#within(needed, value, path, seen);
      this.spend(needed.length);
      const missing = needed.find((other) => !Object.hasOwn(value, other));
      if (missing === undefined) return undefined;
      return { path, error: `Instance has "${key}" but does not have "${missing}"` };
    });
  }

  #array(part: Schema, value: JSONValue[], path: MisfitPath | undefined, seen: Seen) {
    const { prefixItems, items, additionalItems, contains, unevaluatedItems } = part;
    const listed = Array.isArray(items) ? items : (prefixItems ?? []);
    const rest = Array.isArray(items) ? additionalItems : items;
    const item = (inner: SchemaPart | undefined, key: number) => {
      if (inner === undefined) return undefined;
      seen.add(key);
      return this.misfit(inner, value[key] ?? null, { in: path, key });
    };
    const keys = [...value.keys()];
    this.spend(keys.length / 4);
    return (
      first(keys, (key) => item(key < listed.length ? listed[key] : rest, key)) ??
      (contains === undefined ? undefined : this.#contained(part, contains, value, path, seen)) ??
      (part.uniqueItems ? this.#repeated(value, path) : undefined) ??
      first(keys, (key) => (seen.has(key) ? undefined : item(unevaluatedItems, key)))
    );
  }

  #contained(
    { minContains = 1, maxContains = Number.POSITIVE_INFINITY }: Schema,
    contains: SchemaPart,
    value: JSONValue[],
    path: MisfitPath | undefined,
    seen: Seen,
  ): SchemaMisfit | undefined {
    const found = [...value.keys()].filter((key) => !this.misfit(contains, value[key] ?? null));
    for (const key of found) seen.add(key);
    const { length } = found;
    if (length >= minContains && length <= maxContains) return undefined;
    return { path, error: `Array contains ${length} items that match "contains"` };
  }

  #repeated(value: JSONValue[], path: MisfitPath | undefined): SchemaMisfit | undefined {
    const places = new Map<string, number>();
    return first([...value.entries()], ([key, item]) => {
      const text = canonical(item, this.spend);
      const earlier = places.get(text);
      places.set(text, key);
      if (earlier === undefined) return undefined;
      return { path, error: `Duplicate items at indexes ${earlier} and ${key}` };
    });
  }
}
