import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { createHandlers } from '../../platform/http/handlers.ts';
import type { OverdueChanges } from '../../platform/http/overdue.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { changeHandlers, changeOne } from '../../platform/operations/changing.ts';
import {
  entityResponse,
  type Handled,
  nounOf,
  type Remark,
  successOf,
} from '../../platform/operations/resource.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import {
  type RuleAddition,
  type RuleChange,
  withChangedRule,
  withoutRule,
  withRule,
} from './rule_edits.ts';
import { type Rule, rule, ruleExample, ruleParam } from './rules.ts';

interface Ruled extends Entity {
  rules: Rule[];
}

interface RuledResource<E extends Ruled> extends Handled<E> {
  /** @throws Problem 400 if they are invalid */
  withRules: (entity: E, rules: Rule[]) => E;
  remark?: Remark<E> | undefined;
}

/** The functions of releases that gates and dynamic configs use; the registry passes them. */
export interface ReleasesOf<E extends Entity> {
  /** The overdue phases of an entity's release. */
  overdue: OverdueChanges;
  /** Warns of changed rules that take effect later or temporarily, if `changesRules` is true for the body. */
  warnOfRules: (changesRules?: (body: object) => boolean) => Remark<E>;
}

const ruleDoc = <E extends Ruled>(of: RuledResource<E>, verb: string, deed: string) =>
  doc(
    `${verb} one ${nounOf(of)}`,
    successOf(of.kind, deed, 'rule'),
    entityResponse(of.response, of.remark),
  );

/** Returns the rules of an entity as a resource. */
export const rulesResource = <E extends Ruled>({ kind, overdueChanges }: Handled<E>) => ({
  kind,
  overdueChanges,
  response: z.array(rule).meta({ examples: [[{ ...ruleExample, name: 'A tenth' }]] }),
  view: ({ rules }: E) => rules,
});

/** Replaces the rules; the errors of the added or changed rule use the names in the body, such as `conditions.0`. */
function withEditedRules<E extends Ruled>(
  tx: Transaction,
  of: RuledResource<E>,
  entity: E,
  rules: Rule[],
): E {
  const old = new Set(entity.rules);
  tx.bodyPrefixes = new Map([[`rules.${rules.findIndex((each) => !old.has(each))}.`, '']]);
  try {
    return of.withRules(entity, rules);
  } catch (error) {
    throw error instanceof Problem ? error.renamed(tx.bodyPrefixes) : error;
  }
}

/** Returns handlers that add one rule, and respond with the whole entity. */
export const addRule = <E extends Ruled, S extends z.ZodType<RuleAddition & object>>(
  of: RuledResource<E>,
  body: S,
) =>
  changeHandlers(of, {
    summary: `Add one rule to one ${nounOf(of)}`,
    action: 'add_rule',
    part: 'rule',
    done: 'added',
    body,
    next: (entity, given, _author, tx) =>
      withEditedRules(tx, of, entity, withRule(entity.rules, given)),
    remark: of.remark,
  });

/** Returns handlers that change one rule or its position. */
export function changeRule<E extends Ruled, S extends z.ZodType<RuleChange & object>>(
  of: RuledResource<E>,
  body: S,
) {
  const operation = ruleDoc(of, 'Change one rule of', 'updated');
  return createHandlers(operation, valid('param', ruleParam), valid('json', body), (c) =>
    transact(c, (tx) => {
      const { id, ruleID } = c.req.valid('param');
      const given = c.req.valid('json');
      const next = (entity: E) =>
        withEditedRules(tx, of, entity, withChangedRule(entity.rules, ruleID, given));
      return changeOne(c, tx, of, id, { action: 'update_rule', remark: of.remark }, next);
    }),
  );
}

export function deleteRule<E extends Ruled>(of: RuledResource<E>) {
  const operation = ruleDoc(of, 'Delete one rule of', 'deleted');
  return createHandlers(operation, valid('param', ruleParam), (c) =>
    transact(c, (tx) => {
      const { id, ruleID } = c.req.valid('param');
      const next = (entity: E) => of.withRules(entity, withoutRule(entity.rules, ruleID));
      return changeOne(c, tx, of, id, { action: 'delete_rule', remark: of.remark }, next);
    }),
  );
}
