import { Problem } from '../../problem.ts';

/** Networks that are nobody's but a machine's or a company's own (IANA's special-purpose registries), as IPv4 and bits. */
const ownNetworks: [address: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

const toNumber = (address: string) =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Whether an IPv4 address, which the URL parser has brought into four decimal parts, is of such a network. */
const isOwn = (address: string) =>
  ownNetworks.some(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(toNumber(address) / size) === Math.floor(toNumber(network) / size);
  });

/** Names that stand for machines nearby. */
const nearby = /^(localhost|[^.]+|.*\.(localhost|local|internal|intranet|lan|home\.arpa))\.?$/i;

/** Whether a host is none that everybody reaches. Of IPv6 addresses those of 2000::/3 are, but for the ones that hold others. */
function isPrivate(host: string): boolean {
  if (/^\d+(\.\d+){3}$/.test(host)) return isOwn(host);
  if (host.startsWith('['))
    return !/^\[[23][0-9a-f]{3}:/i.test(host) || /^\[(2002|2001:0?db8|2001:0?:)/i.test(host);
  return nearby.test(host);
}

/**
 * Requires a URL that only a server of the public network answers. Which address a name stands for is up to the platform,
 * which reaches no private network.
 * @param isLocal whether any will do, as in local development
 * @throws Problem 400
 */
export function requirePublic(url: string | undefined, isLocal: boolean): void {
  if (url === undefined || isLocal) return;
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== 'https:') throw Problem.property('url', 'must begin with https:');
  if (username || password) throw Problem.property('url', 'must not hold a password');
  if (isPrivate(hostname))
    throw Problem.property('url', 'must not be an address of a private network');
}
