import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dereference, validate } from '@cfworker/json-schema';
import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';
import sampler from '@stoplight/json-schema-sampler';
import Core from '@stoplight/spectral-core';
import Rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { app } from '../../src/app.ts';
import type { gateRoutes } from '../../src/flags/gates/routes.ts';
import { essentials, essentialTag } from '../../src/platform/openapi/essentials.ts';
import { readRoutes } from '../../src/platform/openapi/routes.ts';
import { schemaID } from '../../src/platform/openapi/schemas.ts';
import { shared } from '../../src/platform/openapi/sharing.ts';
import { commonWords, pathWords, queryWords } from '../../src/platform/openapi/words/common.ts';
import {
  describeRoutes,
  describe as describeSchema,
  operationWords,
  parameterWords,
  schemaWords,
  type Word,
} from '../../src/platform/openapi/words/describe.ts';
import { recipes } from '../../src/platform/openapi/words/operations.ts';
import {
  document,
  inside,
  operations,
  type Piece,
  resolved,
  text,
  textsOf,
} from '../support/document.ts';

// Both are CommonJS, so named imports do not work.
const { Spectral } = Core;
const { oas } = Rulesets;

test('the served OpenAPI document equals the document of the routes', async () => {
  await expect(text).toMatchFileSnapshot('../../src/assets/console/v1/openapi.json');
});

test("the document passes Redocly's recommended rules, and its examples match their schemas", async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The contract has /experiments/assignment_sources and /experiments/{id}; such an ID is rejected.
      'no-ambiguous-paths': 'off',
      'no-invalid-schema-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-unused-components': 'error',
    },
  });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  const found = problems.map(({ ruleId, message, location }: NormalizedProblem) => ({
    ruleId,
    message,
    at: location[0]?.pointer,
  }));
  expect(found).toEqual([]);
});

test("the document passes Spectral's recommended rules", async () => {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[{ extends: [], ...oas }, 'recommended']] });
  const problems = await spectral.run(text);
  expect(problems.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`)).toEqual(
    [],
  );
});

/** The size limits of the document per operation. */
const maxPerOperation = { bytes: 2_600, lines: 65 };

describe('the OpenAPI document contains each piece once', () => {
  const { securitySchemes: _, ...sections } = document.components;
  const isReference = (piece: Piece) => Object.keys(piece).join() === '$ref';

  test('the OpenAPI document stays below its size limits', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(maxPerOperation.bytes * operations.length);
    expect(text.split('\n').length).toBeLessThan(maxPerOperation.lines * operations.length);
  });

  test('operations refer to components', () => {
    const contents = operations.flatMap(([, { requestBody = {}, responses }]) =>
      [requestBody, ...Object.values<Piece>(responses)].flatMap(
        ({ content = {}, headers = {} }) => [
          ...Object.values<Piece>(content).map(({ schema }) => schema),
          ...Object.values<Piece>(headers),
        ],
      ),
    );
    const parameters = operations.flatMap(([, { parameters = [] }]) => parameters);
    expect(contents.length).toBeGreaterThan(2 * operations.length);
    expect([...contents, ...parameters].filter((piece) => !isReference(piece))).toEqual([]);
  });

  test('request bodies and success responses are inline, for generators that do not follow references', () => {
    const bodies = operations.flatMap(([, { requestBody }]) => requestBody ?? []);
    const successes = operations.map(
      ([, { responses }]) => responses[200] ?? responses[201] ?? responses[202],
    );
    expect(bodies.length).toBeGreaterThan(90);
    expect([...bodies, ...successes].filter((piece) => !piece?.content)).toEqual([]);
  });

  test('each component has one name, and each request body has one example', () => {
    for (const section of Object.values<Piece>(sections)) {
      const texts = Object.values(section).map((piece) => JSON.stringify(piece));
      expect(texts.filter((each, index) => texts.indexOf(each) !== index)).toEqual([]);
    }
    expect(JSON.stringify(document.paths)).not.toContain('"example');
    const bodies = operations.flatMap(([, { requestBody }]) =>
      requestBody ? resolved(requestBody.content['application/json'].schema) : [],
    );
    expect(bodies.filter(({ examples = [] }) => examples.length !== 1)).toEqual([]);
  });
});

test('a schema does not refer to a schema that requires a property which it does not require', () => {
  const [a, b, c] = ['string', 'number', 'boolean'].map((type) => ({ type }));
  const whole = { type: 'object', properties: { a, b, c } };
  const sharedWith = (part: Record<string, unknown>) =>
    shared(
      new Map<string, Record<string, unknown>>([
        ['Gate', part],
        ['GatePatch', whole],
      ]),
    );
  const part = { type: 'object', properties: { a } };
  expect(sharedWith(part).get('GatePatch')).toHaveProperty('allOf');
  expect(sharedWith({ ...part, required: ['a'] }).get('GatePatch')).toBe(whole);
});

describe('the OpenAPI document for code generators', () => {
  test('names differ by more than their case', () => {
    const { schemas, parameters } = document.components;
    const names = [...new Set([...Object.keys(schemas), ...Object.keys(parameters)])];
    const lower = names.map((name) => name.toLowerCase());
    expect(names.filter((_, index) => lower.indexOf(lower[index] ?? '') !== index)).toEqual([]);
  });

  test('a response of JSON lines has the type string, which validating proxies accept', () => {
    const contents = operations.flatMap(([, { responses }]) => responses[200]?.content ?? []);
    const lines = contents.flatMap((content) => content['application/x-ndjson'] ?? []);
    expect(lines.map(({ schema }) => resolved(schema).type)).toEqual(['string']);
  });

  test('patterns do not escape slashes', () => {
    const patterns = inside(document).flatMap(({ pattern }) => pattern ?? []);
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((pattern) => pattern.includes('\\/'))).toEqual([]);
  });
});

const { schemas } = document.components;

/** Parts of schemas that refine properties of another schema, which has their sentences. */
const refinements: Piece[] = Object.values<Piece>(schemas).flatMap(({ allOf = [] }) =>
  allOf.filter(({ $ref }: Piece) => $ref === undefined),
);

const sentencesOf = (word: Word): string[] =>
  typeof word === 'string' ? [word] : Object.values<Word>(word).flatMap(sentencesOf);

describe('the sentences of the OpenAPI document', () => {
  test('each property and each parameter has a sentence', () => {
    const { parameters } = document.components;
    const properties = inside(schemas).flatMap((piece) =>
      'properties' in piece && !('$ref' in piece) && !refinements.includes(piece)
        ? Object.entries<Piece>(piece.properties)
        : [],
    );
    const all = [...properties, ...Object.entries<Piece>(parameters)];
    expect(all.length).toBeGreaterThan(1000);
    const undescribed = all.filter(
      ([, { description }]) => !/^[^a-z].+\.$/s.test(description ?? ''),
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
    expect(
      refinements.filter(({ properties }) => Object.keys(properties).join() !== 'message'),
    ).toEqual([]);
  });

  test('each sentence is used', () => {
    const common = [commonWords, pathWords, queryWords, ...parameterWords.values()];
    const sentences = [...common, ...schemaWords.values()].flat().flatMap(sentencesOf);
    expect(sentences.length).toBeGreaterThan(400);
    expect(sentences.filter((sentence) => !text.includes(JSON.stringify(sentence)))).toEqual([]);
    const descriptions = new Set(operations.map(([, { description }]) => description));
    const ofOperations = [...recipes.map(([, , sentence]) => sentence), ...operationWords.values()];
    expect(ofOperations.filter((sentence) => !descriptions.has(sentence))).toEqual([]);
  });

  test('words do not compile if a schema or a route lacks their name', () => {
    const owner = z.object({ rank: z.int() });
    const box = z.object({ id: z.string(), size: z.int(), owner: owner.array().nullable() });
    const patch = box.extend({ weight: z.int() }).partial();
    const [size, weight] = ['The size.', 'The weight.'];
    const wrong = [
      // @ts-expect-error The schema has no weight.
      () => describeSchema(box, { size, weight }),
      // @ts-expect-error Its owner has no weight.
      () => describeSchema(box, { size, owner: { weight } }),
      // @ts-expect-error Its size has no parts.
      () => describeSchema(box, { size: [size, { weight }] }),
      // @ts-expect-error No sentence about sizes is common.
      () => describeSchema(box, { id: 'The ID.' }),
      // @ts-expect-error Only one of the schemas has a weight, which needs its sentence.
      () => describeSchema([box, patch], { size }),
      // @ts-expect-error The routes of gates have no such operation.
      () => describeRoutes<typeof gateRoutes>('gates', { operations: { 'GET /:id/size': size } }),
      // @ts-expect-error The list of gates has no such parameter.
      () => describeRoutes<typeof gateRoutes>('gates', { parameters: { 'GET /': { weight } } }),
    ];
    const right = [
      () => describeSchema(box, { size }),
      () => describeSchema(box, { size, owner: { rank: 'The rank.' } }),
      () => describeSchema(box, ['A box.', { size, owner: ['Its owner.', { rank: 'The rank.' }] }]),
      () => describeSchema([box, patch], { size, weight }),
    ];
    expect([wrong.length, right.length]).toEqual([7, 4]);
  });

  test('sentences belong to schemas of the document', () => {
    expect([...schemaWords.keys()].filter((name) => !(name in schemas))).toEqual([]);
  });
});

describe('schemas that generators cannot handle', () => {
  test('no schema refers to itself, directly or through others', () => {
    const references = (name: string) =>
      inside(schemas[name]).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
    const cycles = Object.keys(schemas).filter((name) => {
      const seen = new Set(references(name));
      for (const next of seen) for (const other of references(next)) seen.add(other);
      return seen.has(name);
    });
    expect(cycles).toEqual([]);
  });

  test('each required property is declared in the same schema or a direct part', () => {
    const misplaced = Object.entries<Piece>(schemas).filter(([, schema]) => {
      const { allOf = [], properties, required = [] } = schema;
      const parts = allOf.map((part: Piece) => resolved(part).properties);
      const nearby = Object.assign({}, properties, ...parts);
      return required.length > 0 && !(properties && required.every((key: string) => key in nearby));
    });
    expect(misplaced.map(([name]) => name)).toEqual([]);
  });

  test('steps smaller than one are described in words, because validators reject many valid values', () => {
    expect(inside(document).filter((piece) => 'multipleOf' in piece)).toEqual([]);
    expect(schemas.RuleInput.properties.passPercentage.description).toContain('steps of 0.01');
  });

  test('a window of days has the minimum -1', () => {
    expect(schemas.ExperimentCreate.properties.defaultRollupWindow.minimum).toBe(-1);
  });

  test('a value that may be any JSON has no type', () => {
    expect(Object.keys(schemas.LayerParameter.properties.defaultValue)).toEqual(['description']);
    expect(schemas.Event.properties.metadata.additionalProperties).toEqual({});
  });
});

describe('the texts in request bodies', () => {
  const all = readRoutes(app).flatMap(({ parts }) =>
    parts
      .filter(({ target }) => target === 'json')
      .flatMap(({ schema }) => textsOf(schema, schemas[schemaID(schema)], schemaID(schema))),
  );
  /** Texts without a pattern or format, so that only the length matters. */
  const plain = all.filter(({ takes }) => [0, 1, 3, 50, 150].some(takes));

  test('texts have the length limits of validation', () => {
    const wrong = plain.filter(({ takes, documented: { minLength = 0, maxLength } }) => {
      const isTooShort = minLength > 0 && !takes(minLength - 1);
      const isTooLong = maxLength !== undefined && !takes(maxLength + 1);
      const [fromStart, toEnd] = [takes(minLength), takes(maxLength ?? 10_000)];
      return !(
        fromStart &&
        toEnd &&
        (minLength === 0 || isTooShort) &&
        (maxLength === undefined || isTooLong)
      );
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('each name of an entity has a minimum and a maximum length', () => {
    const names = plain.filter(({ path }) => /^\w+\.name$/.test(path));
    const bounds = names.map(
      ({ documented: { minLength, maxLength } }) => `${minLength} to ${maxLength}`,
    );
    expect(new Set(bounds)).toEqual(new Set(['1 to 200', '3 to 100', '3 to 200']));
  });
});

test('a mock server that builds responses from examples returns valid ones with the real messages', () => {
  const references = dereference({ components: document.components });
  const wrong = operations.flatMap(([title, { responses }]) => {
    const [{ schema }] = Object.values<Piece>(resolved(responses[200] ?? responses[201]).content);
    const made: Piece = sampler.sample(schema, { quiet: true }, document);
    const { errors } = validate(made, resolved(schema), '2020-12', references);
    const message = resolved(schema).allOf?.at(-1).properties?.message?.examples[0];
    return made.message === message ? errors.map(({ error }) => `${title}: ${error}`) : [title];
  });
  expect(wrong).toEqual([]);
});

/** The type generator of the TypeScript example. */
const generator = 'examples/typescript/node_modules/openapi-typescript/bin/cli.js';

/** A client that uses the generated types. */
const use = `
import type { components, operations, paths } from './document';

type Schemas = components['schemas'];
type Read = paths['/console/v1/gates/{id}']['get']['responses'][200];
type Page = operations['get_gates']['responses'][200]['content']['application/json'];
type Body = operations['post_gates']['requestBody']['content']['application/json'];
type Query = operations['get_gates']['parameters']['query'];
type Problem = operations['patch_gates_id']['responses'][412 | 'default']['content']['application/problem+json'];

export const summary = ({ message, data }: Read['content']['application/json']): string =>
  message + data.name + data.lastModifiedTime.toFixed() + data.rules[0]?.passPercentage.toFixed();
export const tag = ({ headers }: Read): string | undefined => headers.ETag;
export const next = ({ pagination, data }: Page): string | undefined => pagination.nextPage ?? data[0]?.id;
export const why = ({ message, errors = [] }: Problem): string => message + errors[0]?.property;

export const query: Query = { page: 2, tags: ['checkout'], status: ['Launched'] };
export const everyone = { name: 'Everyone', passPercentage: 100, conditions: [{ type: 'public' as const }] };
export const body: Body = { name: 'New checkout', type: 'TEMPORARY', rules: [everyone], targetApps: 'web' };
export const value: Schemas['LayerParameter'] = { name: 'a', type: 'object', defaultValue: { b: [null] } };

type Takes<T, Given> = [Given] extends [T] ? true : false;
export const takesWhatIsWhole: Takes<Body, { name: string; type: 'TEMPORARY' }> = true;
export const needsName: Takes<Body, { type: 'TEMPORARY' }> = false;
export const takesAType: Takes<Schemas['GatePatch'], { type: 'PERMANENT' }> = true;
export const knowsItsTypes: Takes<Schemas['GatePatch'], { type: 'FOREVER' }> = false;
export const hasItsVersion: Takes<Schemas['Gate']['version'], undefined> = false;
`;

test('the generated types compile in strict mode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  const run = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' });
  try {
    const types = join(folder, 'document.ts');
    const { status, stderr } = run(generator, 'src/assets/console/v1/openapi.json', '-o', types);
    expect(status, stderr).toBe(0);
    writeFileSync(join(folder, 'use.ts'), use);
    const options = ['--ignoreConfig', '--strict', '--noUncheckedIndexedAccess', '--noEmit'];
    const compiled = run(
      'node_modules/typescript/bin/tsc',
      ...[...options, '--target', 'es2022', '--types', '', join(folder, 'use.ts')],
    );
    expect(compiled.stdout).toBe('');
    expect(compiled.status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('30 operations are tagged for assistants', () => {
  const tagged = operations.filter(([, { tags }]) => tags.includes(essentialTag.name));
  expect(tagged.map(([, { operationId }]) => operationId).sort()).toEqual([...essentials].sort());
  expect(tagged).toHaveLength(30);
});
