import { Problem } from '../../base/problem.ts';
import type { Platform } from '../../platform/env.ts';

/** Networks of a machine or an organization (IANA's special-purpose registries), as IPv4 and bits. */
const privateNetworks: [address: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

const toNumber = (address: string) =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const isPrivateIPv4 = (address: string) =>
  privateNetworks.some(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(toNumber(address) / size) === Math.floor(toNumber(network) / size);
  });

const localName =
  /^([^.]+|(.*\.)?home\.arpa|.*\.(localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc))\.?$/;

/** Private parts of 2000::/3, the public network: 2001::/23, 2001:db8::/32, 2002::/16 and 3fff::/20. */
const privateIPv6 = /^\[(2001:(:|1?[0-9a-f]{1,2}:|db8:)|2002:|3fff:(:|[0-9a-f]{1,3}:))/;

/** Whether a host is not public; the URL parser writes it in lower case, and numbers without leading zeros. */
function isPrivate(host: string): boolean {
  if (/^\d+(\.\d+){3}$/.test(host)) return isPrivateIPv4(host);
  if (host.startsWith('[')) return !/^\[[23][0-9a-f]{3}:/.test(host) || privateIPv6.test(host);
  return localName.test(host);
}

/** Throws Problem 400 for a URL with a password, or outside the public network except in local development. */
export function requirePublic(url: string | undefined, { WEBHOOK_URLS }: Platform): void {
  if (url === undefined) return;
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) throw Problem.property('url', 'must not contain a password');
  if (WEBHOOK_URLS === 'any') return;
  if (protocol !== 'https:') throw Problem.property('url', 'must begin with https:');
  if (isPrivate(hostname))
    throw Problem.property('url', 'must not be an address of a private network');
}
