import { test } from 'vitest';
import { send } from './support/client.ts';
import { makeGate, makeSegment, makeExperiment, makeLayer } from './support/factories.ts';
const many = <T>(n: number, f: (i: number) => T) => Array.from({ length: n }, (_, i) => f(i));
const pad = (i: number) => `u${String(i).padStart(6, '0')}`;
let seq = 0;
const nm = () => `Work ${++seq}`;
const rule = (i: number, c: unknown[] = [{ type: 'public' }]) => ({ name: `r${i}`, passPercentage: 1, conditions: c });
const deep = (n: number) => { let v: unknown = 1; for (let i = 0; i < n; i++) v = i % 2 ? [v] : { a: v }; return v; };
test('measure', async () => {
  const g = await makeGate(), s = await makeSegment({ type: 'id_list' }), e = await makeExperiment(), l = await makeLayer();
  const x = await makeExperiment({ id: 'exp_w' });
  const gid = x.groups[0].id;
  const kinds: [string, string, string, (n: number) => unknown, number][] = [
    ['tags', 'POST', 'gates', (n) => ({ name: nm(), tags: many(n, pad) }), 100_000],
    ['errors {}', 'POST', 'gates', (n) => ({ name: nm(), rules: many(n, () => ({})) }), 340_000],
    ['errors 1', 'POST', 'gates', (n) => ({ name: nm(), rules: many(n, () => 1) }), 500_000],
    ['rules', 'POST', 'gates', (n) => ({ name: nm(), rules: many(n, (i) => rule(i)) }), 15_000],
    ['conditions', 'POST', 'gates', (n) => ({ name: nm(), rules: [rule(1, many(n, () => ({ type: 'public' })))] }), 55_000],
    ['conditions bad', 'POST', 'gates', (n) => ({ name: nm(), rules: [rule(1, many(n, () => ({ type: 'nope' })))] }), 55_000],
    ['targets', 'POST', 'gates', (n) => ({ name: nm(), rules: [rule(1, [{ type: 'user_id', operator: 'any', targetValue: many(n, pad) }])] }), 100_000],
    ['targets bad', 'POST', 'gates', (n) => ({ name: nm(), rules: [rule(1, [{ type: 'user_id', operator: 'any', targetValue: many(n, () => true) }])] }), 200_000],
    ['patterns', 'POST', 'gates', (n) => ({ name: nm(), rules: [rule(1, many(n, () => ({ type: 'email', operator: 'str_matches', targetValue: 'a[b-d]{3}(?:x|y)'.repeat(60).slice(0, 960) })))] }), 1000],
    ['gate refs', 'POST', 'gates', (n) => ({ name: nm(), rules: [rule(1, many(n, (i) => ({ type: 'passes_gate', targetValue: pad(i) })))] }), 20_000],
    ['groups', 'POST', 'experiments', (n) => ({ name: nm(), groups: many(n, (i) => ({ name: `g${i}`, size: 100 / n })) }), 30_000],
    ['metrics', 'POST', 'experiments', (n) => ({ name: nm(), primaryMetrics: many(n, (i) => ({ name: pad(i), type: 'sum' })) }), 30_000],
    ['gate ids', 'POST', `gates/${g.id}/overrides`, (n) => ({ passingUserIDs: many(n, pad) }), 100_000],
    ['gate both', 'POST', `gates/${g.id}/overrides`, (n) => ({ passingUserIDs: many(n, pad), failingUserIDs: many(n, (i) => `v${pad(i)}`) }), 48_000],
    ['gate both same', 'POST', `gates/${g.id}/overrides`, (n) => ({ passingUserIDs: many(n, pad), failingUserIDs: many(n, pad) }), 50_000],
    ['gate env', 'POST', `gates/${g.id}/overrides`, (n) => ({ environmentOverrides: many(n, (i) => ({ environment: null, unitID: 'userID', passingIDs: [pad(i)], failingIDs: [] })) }), 12_000],
    ['layer same', 'POST', `layers/${l.id}/overrides`, (n) => ({ idOverrides: many(n, (i) => ({ groupName: 'Control', ids: [pad(i)], experimentName: 'exp_w' })) }), 13_000],
    ['exp same', 'POST', `experiments/${x.id}/overrides`, (n) => ({ userIDOverrides: many(n, (i) => ({ groupID: gid, ids: [pad(i)] })) }), 13_000],
    ['segment', 'PATCH', `segments/${s.id}/id_list`, (n) => ({ add: many(n, pad) }), 100_000],
    ['segment clash', 'PATCH', `segments/${s.id}/id_list`, (n) => ({ add: many(n, pad), remove: many(n, pad) }), 50_000],
    ['long text', 'POST', 'gates', (n) => ({ name: nm(), description: 'x'.repeat(n) }), 1_000_000],
    ['long name', 'POST', 'gates', (n) => ({ name: 'x'.repeat(n) }), 1_000_000],
    ['long id', 'POST', 'gates', (n) => ({ name: nm(), id: 'x'.repeat(n) }), 1_000_000],
    ['long team', 'POST', 'gates', (n) => ({ name: nm(), team: 'x'.repeat(n) }), 1_000_000],
    ['long tag', 'POST', 'gates', (n) => ({ name: nm(), tags: ['x'.repeat(n)] }), 1_000_000],
    ['unknown keys', 'PATCH', `gates/${g.id}`, (n) => Object.fromEntries(many(n, (i) => [pad(i), 1])), 90_000],
    ['layer params', 'POST', 'layers', (n) => ({ name: nm(), parameters: many(n, (i) => ({ name: pad(i), type: 'number', defaultValue: 1 })) }), 18_000],
    ['store params', 'POST', 'param_stores', (n) => ({ name: nm(), description: '', displayName: 'S', parameters: many(n, (i) => ({ name: pad(i), ref_type: 'static', param_type: 'number', value: 1 })) }), 13_000],
    ['store bad', 'POST', 'param_stores', (n) => ({ name: nm(), description: '', displayName: 'S', parameters: many(n, () => ({ ref_type: 'static' })) }), 40_000],
    ['config keys', 'POST', 'dynamic_configs', (n) => ({ name: nm(), defaultValue: Object.fromEntries(many(n, (i) => [pad(i), 1])) }), 90_000],
    ['config numbers', 'POST', 'dynamic_configs', (n) => ({ name: nm(), defaultValue: { a: many(n, () => 1) } }), 500_000],
    ['config nested', 'POST', 'dynamic_configs', (n) => ({ name: nm(), defaultValue: { a: many(n, () => [[]]) } }), 200_000],
    ['config json5', 'POST', 'dynamic_configs', (n) => ({ name: nm(), defaultValueJson5: `{${many(n, (i) => `${pad(i)}:1`).join()}}` }), 90_000],
    ['config json5 string', 'POST', 'dynamic_configs', (n) => ({ name: nm(), defaultValueJson5: `{a:'${'x'.repeat(n)}'}` }), 1_000_000],
    ['config json5 arr', 'POST', 'dynamic_configs', (n) => ({ name: nm(), defaultValueJson5: `{a:[${many(n, () => 1).join()}]}` }), 500_000],
    ['config schema', 'POST', 'dynamic_configs', (n) => ({ name: nm(), schema: JSON.stringify({ properties: Object.fromEntries(many(n, (i) => [pad(i), {}])) }) }), 60_000],
    ['inline rules', 'POST', 'experiments', (n) => ({ name: nm(), inlineTargetingRulesJSON: JSON.stringify(many(n, (i) => rule(i))) }), 11_000],
    ['inline bad', 'POST', 'experiments', (n) => ({ name: nm(), inlineTargetingRulesJSON: JSON.stringify(many(n, () => ({}))) }), 340_000],
    ['buckets', 'POST', 'experiments', (n) => ({ name: nm(), userBuckets: many(n, () => 1) }), 500_000],
    ['holdout', 'POST', 'holdouts', (n) => ({ name: nm(), isEnabled: true, description: '', passPercentage: 1, isGlobal: false, experimentIDs: [], layerIDs: [], targetingGateID: '', gateIDs: many(n, pad) }), 100_000],
    ['events meta', 'POST', 'events', (n) => ({ events: [{ name: 'x', metadata: { a: many(n, () => 1) } }] }), 500_000],
    ['events errors', 'POST', 'events', (n) => ({ events: many(n, () => ({})) }), 340_000],
    ['scopes', 'POST', 'keys', (n) => ({ name: nm(), scopes: many(n, () => 'read') }), 140_000],
    ['scopes bad', 'POST', 'keys', (n) => ({ name: nm(), scopes: many(n, () => 1) }), 500_000],
    ['phases', 'POST', 'release_pipelines', (n) => ({ name: nm(), phases: many(n, (i) => ({ name: `p${i}`, timeIntervalMs: 0, rules: [] })) }), 20_000],
    ['variants', 'POST', 'autotunes', (n) => ({ name: nm(), variants: many(n, (i) => ({ name: `v${i}` })), successEvent: 'x', explorationWindow: '24hr', attributionWindow: '1hr', winnerThreshold: '95%' }), 50_000],
    ['criteria', 'POST', 'metrics', (n) => ({ name: nm(), type: 'event_count_custom', metricEvents: [{ name: 'x', type: 'count', criteria: many(n, () => ({ condition: '=' })) }] }), 45_000],
    ['changes bad', 'POST', 'changes', (n) => ({ changes: many(n, () => ({})) }), 340_000],
    ['id mapping', 'POST', 'experiments/assignment_sources', (n) => ({ name: nm(), sql: 'x', timestampColumn: 'a', groupIDColumn: 'b', experimentIDColumn: 'c', idTypeMapping: many(n, () => ({ serviceUnitID: 'u', column: 'c' })) }), 20_000],
  ];
  const only = process.env.ONLY;
  for (const [name, method, path, body, n] of kinds) {
    const out = [];
    for (const size of [n / 2, n]) {
      const text = JSON.stringify(body(size));
      const began = performance.now();
      const r = await send(method, path, { body: text });
      const t = performance.now() - began;
      const answer = await r.text();
      out.push(`${t.toFixed(0)}ms(${r.status},${(text.length / 1e6).toFixed(2)}MB,ans ${(answer.length / 1e3).toFixed(0)}kB)`);
      if (size === n && r.status >= 300) out.push(JSON.parse(answer).message?.slice(0, 90));
    }
    console.error(name.padEnd(18), out.join('  '));
  }
}, 600_000);
