import { remembering } from './made_once.ts';

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** What an IPv6 address is made of; 45 characters are the longest. A zone, which means something on one host alone, is none. */
const ipv6 = /^[\da-f:.]{2,45}$/i;

/** An IPv4 address within IPv6, as servers that listen to both report it. */
const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** The IPv4 address of two groups of IPv6. */
const dotted = (...groups: string[]) =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');

/** The shortest text of an IPv6 address, which the platform writes into URLs. */
function shortest(text: string): string | undefined {
  try {
    return new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

/** The addresses that were read last: a request has one, and each condition on it reads it again. */
const ofIPv6 = remembering(1000, (text) => {
  const short = shortest(text);
  const [, high, low] = mapped.exec(short ?? '') ?? [];
  return high && low ? dotted(high, low) : short;
});

/**
 * Returns the one text that stands for an IP address however it is written (RFC 5952; IPv4 for IPv4 within IPv6).
 * Undefined for text that is no address: a range, an address with a zone, or IPv4 with leading zeros.
 */
export function canonicalAddress(text: string): string | undefined {
  if (ipv4.test(text)) return text;
  return ipv6.test(text) ? ofIPv6(text) : undefined;
}

/** All eight groups of a canonical IPv6 address. */
function groupsOf(address: string): string[] {
  const [left = [], right = []] = address
    .split('::')
    .map((side) => side.split(':').filter(Boolean));
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
}

/**
 * Returns the texts by which SDKs find an address, as they compare letter by letter: the canonical one, those that
 * runtimes write in its place, and the given one. A text that is no address stands for itself.
 */
export function spellingsOf(text: string): string[] {
  const address = canonicalAddress(text);
  if (address === undefined) return [text];
  const given = text.toLowerCase();
  if (!address.includes(':')) return [...new Set([address, `::ffff:${address}`, given])];
  const groups = groupsOf(address);
  const padded = groups.map((group) => group.padStart(4, '0'));
  return [...new Set([address, groups.join(':'), padded.join(':'), given])];
}
