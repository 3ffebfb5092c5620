import UAParser from 'ua-parser-js';

/** Longer agents are not read: parsing takes time with each character. */
const longestAgent = 1000;

type Parsed = ReadonlyMap<string, string | undefined>;

/** The one that was read last: the conditions of a request all ask about the same. */
let last: { agent: string; parsed: Parsed } | undefined;

/** What `browser_name`, `browser_version`, `os_name` or `os_version` is in a user agent. */
export function fromUserAgent(agent: unknown, field: string): string | undefined {
  if (typeof agent !== 'string' || agent.length > longestAgent) return undefined;
  if (last?.agent !== agent) last = { agent, parsed: parse(agent) };
  return last.parsed.get(field);
}

/** Names as the server SDKs have them: two of the parser's differ. */
function parse(agent: string): Parsed {
  const { browser, os, device } = new UAParser(agent).getResult();
  const isHandheld = device.type === 'mobile' || device.type === 'tablet';
  const hasMobile = browser.name === 'Chrome' || browser.name === 'Firefox';
  return new Map([
    ['browser_name', isHandheld && hasMobile ? `${browser.name} Mobile` : browser.name],
    ['browser_version', browser.version],
    ['os_name', os.name === 'Mac OS' ? 'Mac OS X' : os.name],
    ['os_version', os.version],
  ]);
}
