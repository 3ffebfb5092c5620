import { describe, expect, test } from 'vitest';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { downloadV1, downloadV2, idListFile } from '../../src/engine/evaluation/download.ts';
import { listedHash } from '../../src/engine/evaluation/hash.ts';
import { everything } from './support/everything.ts';

const project = compileSpec(everything, unboundedScope);
const time = 1_700_000_000_007;

describe('a download', () => {
  test('of the first version is the compiled project itself', () => {
    const download = downloadV1(project, time);
    expect(download).toMatchObject({ has_updates: true, time, response_format: 'dcs-v1' });
    expect(download.feature_gates).toEqual([...project.gates.values()]);
    expect(download.dynamic_configs).toEqual([...project.configs.values()]);
    expect(download.layer_configs).toEqual([...project.layers.values()]);
    expect(download.layers.companies).toContain('active_2_lc');
    expect(download.id_lists).toEqual({ many_users: true, many_companies: true });
    expect(download.param_stores.store).toMatchObject({ parameters: { fixed: { value: 'text' } } });
  });

  test('contains all experiments of a layer in linear time', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `e${index}`);
    const layerOfExperiment = new Map(ids.map((id) => [id, 'shared']));
    expect(downloadV1({ ...project, layerOfExperiment }, time).layers).toEqual({ shared: ids });
  });

  test('of the second version has equal content, with each condition once', () => {
    const download = downloadV2(project, time);
    expect(download).toMatchObject({ has_updates: true, time, response_format: 'dcs-v2' });
    for (const [list, specs] of [
      ['feature_gates', project.gates],
      ['dynamic_configs', project.configs],
      ['layer_configs', project.layers],
    ] as const)
      for (const [name, spec] of specs) {
        const served = download[list][name];
        const rules = served?.rules.map((rule: { conditions: string[] }) => ({
          ...rule,
          conditions: rule.conditions.map((key) => download.condition_map[key]),
        }));
        expect({ name, ...served, rules }).toEqual(spec);
        expect(served).not.toHaveProperty('name');
      }
    const texts = Object.values(download.condition_map).map((each) => JSON.stringify(each));
    expect(new Set(texts).size).toBe(texts.length);
    expect(download.experiment_to_layer.active_2_lc).toBe('companies');
  });

  test('is not changed by evaluation, and contains only data', () => {
    const text = JSON.stringify(downloadV1(project, time));
    expect(JSON.stringify(downloadV1(project, time))).toBe(text);
    expect(JSON.parse(text)).toEqual(downloadV1(project, time));
  });

  test.each([
    [null, null, 'production'],
    [['staging'], null, 'staging'],
    [['staging', 'production'], 'web', 'production'],
    [['staging', 'qa'], 'ios', 'staging'],
  ])(
    'for a key of %j and app %j has an environment and the app',
    (environments, targetAppID, tier) => {
      const download = downloadV1(compileSpec(everything, { environments, targetAppID }), time);
      expect(download).toMatchObject({ default_environment: tier });
      expect(download.app_id).toBe(targetAppID ?? undefined);
    },
  );

  test('of a disabled spec has no rules, which some SDKs would evaluate', () => {
    const disabled = [...project.gates.values(), ...project.configs.values()].filter(
      ({ enabled }) => !enabled,
    );
    expect(disabled.length).toBeGreaterThan(4);
    for (const { rules } of disabled) expect(rules).toEqual([]);
  });
});

test('an ID list is a file of hashes, one a line', () => {
  expect(idListFile([])).toBe('');
  expect(idListFile(['u-1', 'Zoë 🗻'])).toBe(`+${listedHash('u-1')}\n+${listedHash('Zoë 🗻')}\n`);
  expect(idListFile(['u-1'])).toHaveLength(10);
});
