import { edges, files } from './imports.js';

/**
 * A folder of `src` that holds one subject. A door is a file that another room imports.
 * @typedef {{ may: string, doors: number }} Room
 */

/**
 * The rooms, bottom to top, with the rooms that each may import and its most doors. Files beside them may import all.
 * @type {Record<string, Room>}
 */
const rooms = {
  base: { may: '', doors: 26 },
  engine: { may: 'base', doors: 46 },
  platform: { may: 'base', doors: 81 },
  model: { may: 'base platform', doors: 3 },
  organization: { may: 'base platform model', doors: 16 },
  data: { may: 'base engine platform model', doors: 26 },
  flags: { may: 'base engine platform model data', doors: 40 },
  experiments: { may: 'base engine platform model data flags', doors: 33 },
  delivery: { may: 'base engine platform organization data flags experiments', doors: 5 },
  analysis: { may: 'base engine platform data flags experiments', doors: 25 },
  results: { may: 'base engine platform data flags experiments delivery analysis', doors: 11 },
  project: { may: 'base engine platform model organization flags experiments', doors: 7 },
  page: {
    may: 'base engine platform organization data flags experiments delivery results project',
    doors: 0,
  },
};

/**
 * What is in a folder, bottom to top; `a|b` are side by side and do not import each other. What is not listed is on top.
 * @type {Record<string, string>}
 */
const orders = {
  engine: 'patterns evaluation statistics',
  platform: 'store env.ts scheduled http operations resource openapi',
  'platform/store': 'sql core entities history changes derived integrity|lists commit.ts',
  data: 'exposures events metrics metric_values ingestion connections',
  flags:
    'rules json_schema segments prompts param_stores dynamic_configs gates gate_checks pipelines releases',
  experiments:
    'starts autotune_runs experiments layers overdue.ts assignment_sources holdouts autotunes exposure_imports',
  'experiments/experiments': 'schema schema.ts overrides.ts lifecycle checks',
  delivery: 'serving ofrep sdk explain',
  analysis: 'plan base sql work day read schedule',
  results: 'base scorecard series power exposures loads reports learning',
  'results/scorecard': 'rules',
  project: 'changes audit_logs webhooks transfer',
  page: 'docs base ui charts entity experiment values rules try results plan gate metric urgency kinds overview project shell',
  'page/entity': 'kind.ts load.ts crumb.tsx pages.tsx switched.ts review edit history list',
  'page/results': 'frame verdict scorecard health others',
};

/** The most files of a folder that a reader can still take in. */
const maxFiles = 12;

/**
 * The folders that have more, with their number, until they are split.
 * @type {Record<string, number>}
 */
const largeFolders = {
  base: 26,
  'delivery/sdk': 14,
  'delivery/serving': 14,
  'engine/evaluation': 25,
  'engine/evaluation/compile': 24,
  'engine/statistics': 23,
  'flags/releases': 14,
  'flags/rules': 13,
  'page/base': 15,
  'page/charts': 18,
  'page/kinds': 32,
  'page/metric': 15,
  'page/plan': 16,
  'page/ui': 31,
  'page/values': 17,
  'platform/http': 31,
  'platform/openapi': 15,
};

/**
 * Returns the room of a file; undefined if it is beside the rooms.
 * @param {string} file
 */
const roomOf = (file) => {
  const [, room = ''] = file.split('/');
  return room in rooms ? room : undefined;
};

/** Returns the imports of a room that a room may not import. */
export const forbiddenImports = () =>
  edges.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    return from && from !== to && !(to && rooms[from]?.may.split(' ').includes(to));
  });

/** Returns the number of doors of each room, and the most that it may have. */
export const doors = () =>
  Object.entries(rooms).map(([room, { doors: most }]) => {
    const entering = edges.filter(
      ({ file, target }) => roomOf(target) === room && roomOf(file) !== room,
    );
    return { room, count: new Set(entering.map(({ target }) => target)).size, most };
  });

/**
 * Returns the part of a folder in which a file is: a folder or file; undefined if the file is elsewhere.
 * @param {string} folder
 * @param {string} file
 */
const partOf = (folder, file) =>
  file.startsWith(`src/${folder}/`) ? file.slice(folder.length + 5).split('/')[0] : undefined;

/** Returns the imports of a part of an ordered folder from a part that stands above it or at its side. */
export const upwardImports = () =>
  Object.entries(orders).flatMap(([folder, order]) => {
    const steps = order.split(' ').map((step) => step.split('|'));
    /** @param {string} part */
    const heightOf = (part) => {
      const height = steps.findIndex((step) => step.includes(part));
      return height < 0 ? steps.length : height;
    };
    return edges.filter(({ file, target }) => {
      const [from, to] = [partOf(folder, file), partOf(folder, target)];
      if (from === undefined || to === undefined || from === to) return false;
      const rise = heightOf(to) - heightOf(from);
      return rise > 0 || (rise === 0 && heightOf(to) < steps.length);
    });
  });

/** Returns the parts of an order that do not exist. */
export const missingParts = () =>
  Object.entries(orders).flatMap(([folder, order]) => {
    const inside = files.filter((file) => partOf(folder, file) !== undefined);
    const parts = new Set(inside.map((file) => partOf(folder, file) ?? ''));
    const listed = new Set(order.split(/[ |]/));
    return [...listed].filter((part) => !parts.has(part)).map((part) => `${folder}/${part}`);
  });

/** Returns the number of files of each folder of a room, and the most that it may have. */
export function folderSizes() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of files.filter((path) => roomOf(path) !== undefined)) {
    const folder = file.split('/').slice(1, -1).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, count]) => ({
    folder,
    count,
    most: largeFolders[folder] ?? maxFiles,
  }));
}
