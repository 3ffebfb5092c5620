import { expect } from 'vitest';
import type { callLocal } from './local_server.ts';

/** Calls the API of the server under load. */
type Call = (method: string, path: string, body?: object) => ReturnType<typeof callLocal>;

/** Changes gates until the server has ended, and records the newest acknowledged version of each. */
export async function changeUntilGone(
  call: Call,
  gates: string[],
  acknowledged: Map<string, number>,
): Promise<void> {
  const change = async (gate: string) => {
    for (let count = 0; ; count++) {
      const body = { description: `${count}`, tags: [`t${count}`] };
      const { status, data } = await call('PATCH', `gates/${gate}`, body);
      if (status === 200)
        acknowledged.set(gate, Math.max(acknowledged.get(gate) ?? 0, data.version));
    }
  };
  await Promise.allSettled(gates.flatMap((gate) => [change(gate), change(gate)]));
}

/** Checks that a gate equals its newest version, that versions have no gaps, and that lists find it by its tags. */
export async function checkWhole(call: Call, gate: string, atLeast: number): Promise<void> {
  const { data } = await call('GET', `gates/${gate}`);
  expect(data.version).toBeGreaterThanOrEqual(atLeast);
  const { body } = await call('GET', `gates/${gate}/versions?limit=1`);
  expect([body.pagination.totalItems, body.data[0].version]).toEqual([data.version, data.version]);
  const snapshot = (await call('GET', `gates/${gate}/versions/${data.version}`)).data.snapshot;
  expect(snapshot).toMatchObject({ description: data.description, tags: data.tags });
  for (const tag of data.tags) {
    const found = await call('GET', `gates?limit=1000&tags=${tag}`);
    expect(found.data.map(({ id }: { id: string }) => id)).toContain(gate);
  }
}
