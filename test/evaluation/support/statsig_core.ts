import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { downloadV2, idListFile } from '../../../src/engine/evaluation/download.ts';
import type { Project } from '../../../src/engine/evaluation/spec.ts';
import { type Oracle, time } from './parity.ts';

/** Serves a project's download and ID lists on this machine for the SDK. */
async function serve(project: Project): Promise<{ server: Server; origin: string }> {
  const specs = JSON.stringify(downloadV2(project, time));
  const files = new Map([...project.idLists].map(([id, ids]) => [id, idListFile(ids)]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const file = files.get(pathname.slice('/list/'.length));
    const lists = [...files].map(([name, { length: size }]) => {
      const url = `http://${request.headers.host}/list/${name}`;
      return [name, { name, url, size, fileID: name, creationTime: 1 }];
    });
    if (pathname.includes('download_config_specs')) response.end(specs);
    else if (pathname.includes('get_id_lists'))
      response.end(JSON.stringify(Object.fromEntries(lists)));
    else if (pathname.startsWith('/list/') && file !== undefined) response.end(file);
    else response.writeHead(202).end('{"success":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return { server, origin: `http://127.0.0.1:${address.port}` };
}

interface Answer {
  dynamic_configs: Record<string, { rule_id: string }>;
  layer_configs: Record<string, { rule_id: string; id_type?: string }>;
}

/** A response without the members that this SDK leaves out or adds. */
function inOurWords({ dynamic_configs, layer_configs, ...rest }: Answer): unknown {
  const configs = Object.entries(dynamic_configs).map(([name, answer]) => [
    name,
    { ...answer, group: answer.rule_id },
  ]);
  const layers = Object.entries(layer_configs).map(([name, { id_type: _added, ...answer }]) => [
    name,
    { ...answer, group: answer.rule_id },
  ]);
  return {
    ...rest,
    dynamic_configs: Object.fromEntries(configs),
    layer_configs: Object.fromEntries(layers),
  };
}

/** The unmodified server SDK with a native core; undefined if it has no binary for this machine. */
export async function statsigCore(project: Project): Promise<Oracle | undefined> {
  const sdk = await import('@statsig/statsig-node-core').catch(() => undefined);
  if (!sdk) return undefined;
  const { server, origin } = await serve(project);
  const statsig = new sdk.Statsig('secret-test', {
    specsUrl: `${origin}/v2/download_config_specs`,
    idListsUrl: `${origin}/v1/get_id_lists`,
    logEventUrl: `${origin}/v1/log_event`,
    enableIdLists: true,
    disableCountryLookup: true,
    disableAllLogging: true,
    outputLogLevel: 'none',
  });
  await statsig.initialize();
  return {
    of: (user) => {
      const asked = new sdk.StatsigUser({ userID: '', ...structuredClone(user) });
      return {
        initialize: (hashAlgorithm) =>
          inOurWords(JSON.parse(statsig.getClientInitializeResponse(asked, { hashAlgorithm }))),
        gate: (name) => statsig.getFeatureGate(asked, name, { disableExposureLogging: true }),
      };
    },
    shutdown: async () => {
      await statsig.shutdown();
      server.close();
    },
  };
}
