/** Names and addresses of the machine itself, as the URL parser writes them. */
const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Refuses a request to a local server under another name: a page in a browser could have its name resolve to this
 * machine. `allowed` lists further names, separated by commas; undefined in a deployment, which has any name.
 */
export function refuseHost(url: string, allowed: string | undefined): Response | undefined {
  if (allowed === undefined) return undefined;
  const { hostname } = new URL(url);
  if (loopback.test(hostname) || allowed.split(',').includes(hostname)) return undefined;
  return new Response(
    `This local server is not called ${hostname}. Allow the name with: npm run dev -- --allow-host ${hostname}\n`,
    { status: 403 },
  );
}
