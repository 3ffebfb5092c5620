import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { build } from 'esbuild';
import { afterAll, expect } from 'vitest';
import { memberOf } from '../../src/base/value_types.ts';
import { api, everyone, makeGate, openTab, origin, testPage } from './browser.ts';

/** A page that evaluates once and then only listens. */
const script = `
  import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
  import { OpenFeature } from '@openfeature/web-sdk';
  const [baseUrl, flag] = JSON.parse(document.body.dataset.asked);
  const headers = [['Authorization', 'Bearer client-local']];
  await OpenFeature.setContext({ targetingKey: 'u-1' });
  await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers }));
  const client = OpenFeature.getClient();
  const show = () => { document.body.textContent = client.getBooleanValue(flag, false); };
  client.addHandler('PROVIDER_CONFIGURATION_CHANGED', show);
  show();`;

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function serve(html: string, script: string): Promise<string> {
  const server = createServer(({ url }, answer) => {
    answer.setHeader('Content-Type', url === '/' ? 'text/html' : 'text/javascript');
    answer.end(url === '/' ? html : script);
  }).listen(0, 'localhost');
  servers.push(server);
  await once(server, 'listening');
  const port = memberOf(server.address(), 'port');
  return `http://localhost:${port}/`;
}

testPage('a shop with an OpenFeature listener displays a change immediately', async () => {
  const gate = await makeGate({ rules: [everyone(0)] });
  const asked = JSON.stringify([origin, gate.id]);
  const html = `<link rel="icon" href="data:,"><body data-asked='${asked}'><script type="module" src="/shop.js"></script>`;
  const page = await openTab();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(await serve(html, await bundled(script)));
  await page.getByText('false').waitFor();
  for (const [share, shown] of [
    [100, 'true'],
    [0, 'false'],
  ] as const) {
    await api('PATCH', `gates/${gate.id}`, { rules: [everyone(share)] });
    await page.getByText(shown).waitFor();
  }
  expect(requests.filter((path) => path === '/ofrep/v1/changes')).toHaveLength(1);
});
