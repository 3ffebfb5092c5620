import { type IDataAdapter, type StatsigOptions, StatsigServer } from 'statsig-node';
import { downloadV1, idListFile } from '../../../src/engine/evaluation/download.ts';
import type { Project } from '../../../src/engine/evaluation/spec.ts';
import { type Oracle, time } from './parity.ts';
import { type GeneratedUser, tiers } from './users.ts';

/** Passes a download to a server SDK, so that it needs no network. */
function adapterOf(project: Project): IDataAdapter {
  const specs = JSON.stringify(downloadV1(project, time));
  const names = JSON.stringify([...project.idLists.keys()]);
  const contentOf = (key: string): string => {
    if (key.includes('/download_config_specs')) return specs;
    if (key.includes('/get_id_lists')) return names;
    const list = [...project.idLists].find(([id]) => key.includes(`id_list::${id}|`));
    return list ? idListFile(list[1]) : '';
  };
  return {
    get: async (key) => ({ result: contentOf(key), time }),
    set: async () => {},
    initialize: async () => {},
    shutdown: async () => {},
    supportsPollingUpdatesFor: () => false,
  };
}

const options: StatsigOptions = {
  localMode: true,
  disableDiagnostics: true,
  initStrategyForIP3Country: 'none',
  disableRulesetsSync: true,
  disableIdListsSync: true,
};

/** The unmodified server SDK of the public service with a project's download, one for each environment. */
export async function statsigNode(project: Project): Promise<Oracle> {
  const servers = new Map(
    tiers.map((tier) => {
      const dataAdapter = adapterOf(project);
      return [
        tier,
        new StatsigServer('secret-test', { ...options, dataAdapter, environment: { tier } }),
      ];
    }),
  );
  await Promise.all([...servers.values()].map((server) => server.initializeAsync()));
  const serverOf = ({ statsigEnvironment: { tier } }: GeneratedUser) => {
    const server = servers.get(tier);
    if (!server) throw new Error(`No server is in ${tier}.`);
    return server;
  };
  return {
    of: (user) => {
      const copy = structuredClone(user); // the SDK changes it
      return {
        initialize: (hash) => serverOf(user).getClientInitializeResponse(copy, undefined, { hash }),
        gate: (name) => serverOf(user).getFeatureGateWithExposureLoggingDisabledSync(copy, name),
      };
    },
    shutdown: () => Promise.all([...servers.values()].map((server) => server.shutdownAsync())),
  };
}
