// The memory that the isolate of a Worker lives on, as the inspector of the runtime tells it.
import { WebSocket } from 'ws';

/** How much it may grow over the second half of the time, in megabytes. */
const most = 1;

/**
 * The megabytes that are in use once all garbage is collected, which a snapshot of the heap does first. What the process
 * holds would say less: the runtime lets garbage lie while there is room, that of the local database beside the Worker's.
 * @param {URL} inspector of the runtime
 * @returns {Promise<number>}
 */
export async function liveMemory(inspector) {
  const socket = new WebSocket(`ws://${inspector.host}/core:user:`); // the Worker's isolate, of those that it has
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  /**
   * @param {number} id
   * @param {string} method
   */
  const ask = (id, method) =>
    new Promise((resolve) => {
      socket.on('message', (text) => {
        const told = JSON.parse(String(text));
        if (told.id === id) resolve(told.result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  await ask(1, 'HeapProfiler.takeHeapSnapshot');
  const { usedSize } = await ask(2, 'Runtime.getHeapUsage');
  socket.close();
  return usedSize / 1e6;
}

/** @param {number} growth in megabytes, over the second half of the time */
export const isFlat = (growth) => growth < most;
