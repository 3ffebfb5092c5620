// Measures the memory of a Worker's isolate with the inspector of the runtime.
import { WebSocket } from 'ws';

const maxGrowthMB = 1;

/**
 * Returns the megabytes of live objects: taking a heap snapshot collects all garbage. The memory of the process would
 * include garbage and the local database.
 * @param {URL} inspector of the runtime
 * @returns {Promise<number>}
 */
export async function liveMemory(inspector) {
  const socket = new WebSocket(`ws://${inspector.host}/core:user:`); // the isolate of the Worker
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  /**
   * @param {number} id
   * @param {string} method
   */
  const send = (id, method) =>
    new Promise((resolve) => {
      socket.on('message', (text) => {
        const message = JSON.parse(String(text));
        if (message.id === id) resolve(message.result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  await send(1, 'HeapProfiler.takeHeapSnapshot');
  const { usedSize } = await send(2, 'Runtime.getHeapUsage');
  socket.close();
  return usedSize / 1e6;
}

/** @param {number} growth in megabytes, over the second half of the run */
export const isFlat = (growth) => growth < maxGrowthMB;
