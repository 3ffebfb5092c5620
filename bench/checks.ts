import { compileSpec, unboundedScope } from '../src/engine/evaluation/compile.ts';
import { contextOf } from '../src/engine/evaluation/context.ts';
import type { GateEntity } from '../src/engine/evaluation/entities.ts';
import { evaluate } from '../src/engine/evaluation/evaluate.ts';
import { sdkUser } from '../src/engine/evaluation/user.ts';

const now = Date.UTC(2026, 0, 1);
const checksPerSlice = 3000;

/** A tenth of the users of some countries and app versions. */
const gate: GateEntity = {
  id: 'new_checkout',
  version: 1,
  createdTime: now,
  idType: 'userID',
  targetApps: [],
  status: 'In Progress',
  holdoutIDs: [],
  overrides: { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] },
  rules: [
    {
      id: 'rule',
      baseID: 'rule',
      name: 'A tenth',
      passPercentage: 10,
      environments: null,
      conditions: [
        { type: 'country', operator: 'any', targetValue: ['DE', 'FR', 'NZ'] },
        { type: 'app_version', operator: 'version_gte', targetValue: '2.4.0' },
      ],
    },
  ],
};

const nothing = {
  dynamicConfigs: [],
  experiments: [],
  layers: [],
  holdouts: [],
  segments: [],
  autotunes: [],
  paramStores: [],
};
const project = compileSpec({ gates: [gate], ...nothing }, unboundedScope);

const users = Array.from({ length: 1000 }, (_, n) => ({
  userID: `user-${n}`,
  email: `user-${n}@mail.example`,
  country: 'DE',
  appVersion: `2.${4 + (n % 5)}.1`,
}));

/** Evaluates the gate for one user after another, and returns the number of users who pass. */
function check(): number {
  let passing = 0;
  for (let n = 0; n < checksPerSlice; n++) {
    const user = sdkUser(users[n % users.length] ?? {}, 'production');
    const spec = project.gates.get(gate.id);
    if (spec && evaluate(contextOf(project, user, now), spec).passes) passing++;
  }
  return passing;
}

/** Returns the bytes that a check allocates. The young generation must hold a slice, so that no collection runs. */
function bytesOfCheck(): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  check();
  return (process.memoryUsage().heapUsed - before) / checksPerSlice;
}

/** Returns the CPU microseconds of a check in each slice of a time. */
function microsecondsOfChecks(seconds: number): number[] {
  const slices: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const before = process.cpuUsage();
    check();
    const { user, system } = process.cpuUsage(before);
    slices.push((user + system) / checksPerSlice);
  }
  return slices;
}

const passing = check();
if (passing < checksPerSlice * 0.05 || passing > checksPerSlice * 0.15)
  throw new Error(`${passing} of ${checksPerSlice} users pass a rollout of 10%`);
microsecondsOfChecks(0.5); // a warm-up
const microseconds = microsecondsOfChecks(Number(process.argv[2]));
process.stdout.write(JSON.stringify({ microseconds, bytes: bytesOfCheck() }));
