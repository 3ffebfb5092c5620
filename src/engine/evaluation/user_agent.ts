import UAParser from 'ua-parser-js';

/** Characters; the time to parse grows with the length. */
const maxAgentCharacters = 1000;

type ParsedAgent = ReadonlyMap<string, string | undefined>;

let last: { agent: string; parsed: ParsedAgent } | undefined;

/** Returns `browser_name`, `browser_version`, `os_name` or `os_version` of a user agent. */
export function fromUserAgent(agent: unknown, field: string): string | undefined {
  if (typeof agent !== 'string' || agent.length > maxAgentCharacters) return undefined;
  if (last?.agent !== agent) last = { agent, parsed: parsedAgent(agent) };
  return last.parsed.get(field);
}

/** Two names differ from the parser's, to match the server SDKs. */
function parsedAgent(agent: string): ParsedAgent {
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
