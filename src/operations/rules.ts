import * as z from 'zod';
import { createHandlers } from '../http/handlers.ts';
import { transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import { Problem } from '../problem.ts';
import { idParam } from '../shared/ids.ts';
import {
  type RuleAddition,
  type RuleChange,
  withChangedRule,
  withoutRule,
  withRule,
} from '../shared/rule_edits.ts';
import { type Rule, rule, ruleExample } from '../shared/rules.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Transaction } from '../store/core/transaction.ts';
import { change, changeOne } from './changing.ts';
import { answerOf, done, nounOf, type Remark, type Shown } from './shown.ts';

interface Ruled extends Entity {
  rules: Rule[];
}

/** What has rules, which can be changed one by one. */
interface ShownRuled<E extends Ruled> extends Shown<E> {
  /** The entity with other rules; 400 where it cannot have them. */
  withRules: (entity: E, rules: Rule[]) => E;
  remark?: Remark<E> | undefined;
}

const ruleParam = idParam.extend({ ruleID: z.string() });

/** Documents a change of one rule. */
const ofRule = <E extends Ruled>(of: ShownRuled<E>, verb: string, deed: string) =>
  doc(`${verb} one ${nounOf(of)}`, done(of.kind, deed, 'rule'), answerOf(of.response, of.remark));

/** Answers the rules of an entity alone, in their order. */
export const rulesOf = <E extends Ruled>({ kind, settles }: Shown<E>) => ({
  kind,
  settles,
  response: z.array(rule).meta({ examples: [[{ ...ruleExample, name: 'A tenth' }]] }),
  view: ({ rules }: E) => rules,
});

/** An entity with one rule more or other, of which a refusal says what the body has: `conditions.0`. */
function withOne<E extends Ruled>(tx: Transaction, of: ShownRuled<E>, entity: E, rules: Rule[]): E {
  const old = new Set(entity.rules);
  tx.sentAs = new Map([[`rules.${rules.findIndex((each) => !old.has(each))}.`, '']]);
  try {
    return of.withRules(entity, rules);
  } catch (error) {
    throw error instanceof Problem ? error.renamed(tx.sentAs) : error;
  }
}

/** Adds one rule to an entity, which is answered as a whole. */
export const addRule = <E extends Ruled, S extends z.ZodType<RuleAddition & object>>(
  of: ShownRuled<E>,
  body: S,
) =>
  change(of, {
    summary: `Add one rule to one ${nounOf(of)}`,
    action: 'add_rule',
    part: 'rule',
    done: 'added',
    body,
    next: (entity, given, _author, tx) => withOne(tx, of, entity, withRule(entity.rules, given)),
    remark: of.remark,
  });

/** Changes one rule of an entity, or its place among the others. */
export function changeRule<E extends Ruled, S extends z.ZodType<RuleChange & object>>(
  of: ShownRuled<E>,
  body: S,
) {
  const operation = ofRule(of, 'Change one rule of', 'updated');
  return createHandlers(operation, valid('param', ruleParam), valid('json', body), (c) =>
    transact(c, (tx) => {
      const { id, ruleID } = c.req.valid('param');
      const given = c.req.valid('json');
      const next = (entity: E) =>
        withOne(tx, of, entity, withChangedRule(entity.rules, ruleID, given));
      return changeOne(c, tx, of, id, { action: 'update_rule', remark: of.remark }, next);
    }),
  );
}

/** Removes one rule of an entity. */
export function deleteRule<E extends Ruled>(of: ShownRuled<E>) {
  const operation = ofRule(of, 'Delete one rule of', 'deleted');
  return createHandlers(operation, valid('param', ruleParam), (c) =>
    transact(c, (tx) => {
      const { id, ruleID } = c.req.valid('param');
      const next = (entity: E) => of.withRules(entity, withoutRule(entity.rules, ruleID));
      return changeOne(c, tx, of, id, { action: 'delete_rule', remark: of.remark }, next);
    }),
  );
}
