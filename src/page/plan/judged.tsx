import { useState } from 'preact/hooks';
import type { Experiment, Metric } from '../base/types.ts';
import { mean } from '../charts/format.ts';
import { NumberInput } from '../entity/edit/input.tsx';
import type { Editing } from '../entity/kind.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Pick } from '../ui/pick.tsx';
import { Scrolled } from '../ui/scrolled.tsx';
import { Select } from '../ui/select.tsx';
import { eitherWay } from './either_way.ts';
import { type Role, type RoleJudged, withRole, withRule } from './roles.ts';
import type { TypedNumbers } from './typed.ts';
import { type Found, useDirections, useFoundEffects } from './use_judged.ts';

const roles: Record<Role | 'none', string> = {
  primary: 'Primary',
  guardrail: 'Guardrail',
  secondary: 'Secondary',
  none: 'Remove',
};

const ways = { increase: '↑', decrease: '↓' };
const wayWords = { increase: 'more is better', decrease: 'less is better' };

interface JudgedRowProps {
  judged: RoleJudged;
  editing: Editing<Experiment>;
  found: Found | undefined;
  way: Metric['directionality'] | undefined;
  isLocked: boolean;
}

function RuleCell({ judged: { id, metric, role, rule }, editing, isLocked }: JudgedRowProps) {
  const { value, set } = editing;
  const setRule = (next: RoleJudged['rule']) =>
    set({ decisionRule: withRule(value.decisionRule, id, next) });
  if (rule && 'notWorseThan' in rule)
    return isLocked ? (
      <span>{`at most ${rule.notWorseThan}% worse`}</span>
    ) : (
      <Field label={`Limit of ${metric.name}`} unseen>
        {(attributes) => (
          <span class="with-unit plan-limit">
            at most
            <NumberInput
              attributes={attributes}
              unit="%"
              value={rule.notWorseThan}
              onChange={(limit) => setRule({ metricID: id, notWorseThan: Number(limit) })}
            />
            <span class="unit">% worse</span>
          </span>
        )}
      </Field>
    );
  if (role !== 'primary') return <span class="small">none</span>;
  if (isLocked) return <span>{rule ? 'must be better' : 'none'}</span>;
  return (
    <Select
      aria-label={`Rule of ${metric.name}`}
      value={rule ? 'better' : 'none'}
      options={{ better: 'must be better', none: 'no rule' }}
      onChoose={(choice) =>
        setRule(choice === 'better' ? { metricID: id, better: true } : undefined)
      }
    />
  );
}

function JudgedRow(props: JudgedRowProps) {
  const { judged, editing, found, way, isLocked } = props;
  const { metric, role, rule } = judged;
  const limit = rule && 'notWorseThan' in rule ? rule.notWorseThan : undefined;
  const isCoarse = limit !== undefined && found?.percent != null && found.percent > limit;
  return (
    <tr>
      <th class="c-first" scope="row">
        <span class="sc-name">
          {metric.name}
          {way && (
            <span class="goodway">
              <span aria-hidden="true">{ways[way]}</span>
              <span class="unseen">{wayWords[way]}</span>
            </span>
          )}
        </span>
      </th>
      <td>
        {isLocked ? (
          roles[role]
        ) : (
          <Select
            aria-label={`Role of ${metric.name}`}
            value={role}
            options={roles}
            onChoose={(next) => {
              const chosen = roleNames.find((name) => name === next);
              if (chosen) editing.set(withRole(editing.value, metric, chosen));
            }}
          />
        )}
      </td>
      <td class="c-num">{found ? mean(found.baseline.mean, found.baseline.isProportion) : '–'}</td>
      <td class="c-num">
        {eitherWay(found?.percent)}
        {isCoarse && <span class="small warned">too coarse for its rule</span>}
      </td>
      <td>
        <RuleCell {...props} />
      </td>
    </tr>
  );
}

const roleNames = ['primary', 'guardrail', 'secondary', 'none'] as const;

function AddMetric({ editing, onDone }: { editing: Editing<Experiment>; onDone: () => void }) {
  const [id, setID] = useState('');
  const [name = '', type = ''] = id.split('::');
  const add = () => {
    const { primaryMetrics } = editing.value;
    const role = primaryMetrics.length === 0 ? 'primary' : 'secondary';
    editing.set(withRole(editing.value, { name, type }, role));
    onDone();
  };
  return (
    <div class="plan-base">
      <Field label="Metric">
        {(attributes) => (
          <Pick attributes={attributes} kind="metrics" value={id} onChange={setID} />
        )}
      </Field>
      <p class="plan-add">
        <Button why={name && type ? undefined : 'Choose a metric'} onClick={add}>
          Add
        </Button>
      </p>
    </div>
  );
}

interface JudgedByProps {
  editing: Editing<Experiment>;
  metrics: RoleJudged[];
  typed: TypedNumbers;
  isLocked: boolean;
}

/** The metrics of an experiment with their role, detectable change and rule. */
export function JudgedBy({ editing, metrics, typed, isLocked }: JudgedByProps) {
  const [isAdding, setAdding] = useState(false);
  const found = useFoundEffects(editing.value, metrics, typed);
  const directions = useDirections(metrics);
  return (
    <section class="box" aria-label="Metrics">
      <div class="box-head">
        <h2 class="box-title">What it will be judged by</h2>
        {!isLocked && (
          <div class="box-side">
            <Button icon="add" onClick={() => setAdding(!isAdding)}>
              Metric
            </Button>
          </div>
        )}
      </div>
      {isAdding && <AddMetric editing={editing} onDone={() => setAdding(false)} />}
      {metrics.length === 0 ? (
        <p class="plan-foot">No metrics. Add a primary metric to say what better means.</p>
      ) : (
        <Scrolled as="section" class="scrolled" aria-label="Metrics of the decision">
          <table class="plan-table">
            <thead>
              <tr>
                <th class="c-first" scope="col">
                  Metric
                </th>
                <th scope="col">Role</th>
                <th class="c-num" scope="col">
                  Baseline
                </th>
                <th class="c-num" scope="col">{`Found after ${editing.value.duration} days`}</th>
                <th scope="col">Rule</th>
              </tr>
            </thead>
            <tbody>
              {metrics.map((judged) => (
                <JudgedRow
                  key={judged.id}
                  judged={judged}
                  editing={editing}
                  found={found?.get(judged.id)}
                  way={directions?.get(judged.id)}
                  isLocked={isLocked}
                />
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
    </section>
  );
}
