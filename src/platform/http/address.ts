import type { Context } from 'hono';

/** Returns the first four of the eight groups of an IPv6 address, without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Returns the network that an address limit counts: an IPv4 address, or the /64 of an IPv6 address, which one sender owns whole. */
function networkOf(address: string): string {
  const [, v4] = mapped.exec(address) ?? [];
  if (v4) return v4;
  return address.includes(':') ? `${firstGroups(address).join(':')}::/64` : address;
}

/** Returns the network of the sender of a request. */
export const addressNetwork = (c: Context): string =>
  networkOf(c.req.header('CF-Connecting-IP') ?? '');
