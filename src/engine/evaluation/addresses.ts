import { memoizeText } from '../../base/memoize.ts';

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The characters of an IPv6 address, at most 45. A zone is excluded: it is only valid on one host. */
const ipv6 = /^[\da-f:.]{2,45}$/i;

/** Servers that listen to both report IPv4 within IPv6. */
const mappedIPv4 = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

const dotted = (...groups: string[]) =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');

function shortest(text: string): string | undefined {
  try {
    return new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

/** A request has one address, which many conditions parse. */
const parseIPv6 = memoizeText(1000, (text) => {
  const short = shortest(text);
  const [, high, low] = mappedIPv4.exec(short ?? '') ?? [];
  return high && low ? dotted(high, low) : short;
});

/** Returns the canonical text of an address (RFC 5952). Undefined for a range, a zone, or IPv4 with leading zeros. */
export function canonicalAddress(text: string): string | undefined {
  if (ipv4.test(text)) return text;
  return ipv6.test(text) ? parseIPv6(text) : undefined;
}

function addressGroups(address: string): string[] {
  const [left = [], right = []] = address
    .split('::')
    .map((side) => side.split(':').filter(Boolean));
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
}

/** Returns spellings of an address, because SDKs compare it character by character. Other text is returned alone. */
export function spellingsOf(text: string): string[] {
  const address = canonicalAddress(text);
  if (address === undefined) return [text];
  const given = text.toLowerCase();
  if (!address.includes(':')) return [...new Set([address, `::ffff:${address}`, given])];
  const groups = addressGroups(address);
  const padded = groups.map((group) => group.padStart(4, '0'));
  return [...new Set([address, groups.join(':'), padded.join(':'), given])];
}
