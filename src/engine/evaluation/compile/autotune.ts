import type { AutotuneEntity } from '../entities.ts';
import { totalHundred } from '../shares.ts';
import type { Spec, SpecRule } from '../spec.ts';
import { inBucket } from './conditions.ts';
import { runSalt, thresholds } from './draw.ts';
import { configSpec, specRule } from './rules.ts';

function autotuneVariantRules(autotune: AutotuneEntity): SpecRule[] {
  const { variants, idType, weights } = autotune;
  const sizes = weights?.length === variants.length ? weights : variants.map(({ size }) => size);
  const even = variants.map(() => 100 / variants.length);
  const bounds = thresholds(totalHundred(sizes) ? sizes : even);
  return variants.map(({ name, json }, index) =>
    specRule({
      id: name,
      conditions: [inBucket('lt', bounds[index] ?? 0, { salt: runSalt(autotune), idType })],
      returnValue: json,
      idType,
      groupName: name,
      isExperimentGroup: true,
    }),
  );
}

function autotuneRules(autotune: AutotuneEntity): SpecRule[] {
  const { status, variants, decidedVariant, idType } = autotune;
  if (status === 'active') return autotuneVariantRules(autotune);
  const decided = variants.find(({ name }) => name === decidedVariant);
  if (status === 'setup' || !decided)
    return [specRule({ id: 'prestart', returnValue: {}, idType })];
  const { name, json } = decided;
  return [specRule({ id: name, returnValue: json, idType, groupName: name })];
}

/** Compiles an autotune. Learned weights replace sizes. Variants get equal sizes unless their sizes add up to 100%. */
export const compileAutotune = (autotune: AutotuneEntity): Spec =>
  configSpec({
    name: autotune.id,
    salt: runSalt(autotune),
    entity: 'autotune',
    idType: autotune.idType,
    version: autotune.version,
    defaultValue: {},
    isActive: autotune.status === 'active',
    rules: autotuneRules(autotune),
  });
