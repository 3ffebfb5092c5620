import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  citations,
  cited,
  documents,
  linksIn,
  resolves,
  textOf,
} from '../../scripts/house/documents.js';
import { apiVersion } from '../../src/platform/http/observe.ts';

describe('the documents', () => {
  const links = documents.flatMap(linksIn);

  test('link to files and headings that exist', () => {
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => !resolves(link))).toEqual([]);
  });

  test('are all reachable from the README', () => {
    const reached = new Set(['README.md']);
    const isIn = (path: string) => (document: string) =>
      document === path || (path.endsWith('/') && document.startsWith(path));
    for (const document of reached) // grows while it is walked
      for (const { path } of links.filter(({ from }) => from === document))
        for (const found of documents.filter(isIn(path))) reached.add(found);
    expect(documents.filter((document) => !reached.has(document))).toEqual([]);
  });

  test('have a README of at most 200 lines', () => {
    expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(200);
  });

  test('list every operation of the API under docs/api, and no other', () => {
    const listed = documents
      .filter((document) => document.startsWith('docs/api/'))
      .flatMap((document) => [...textOf(document).matchAll(/^\| `(\/\S*)` \| ([A-Z, ]+) \|$/gm)])
      .map(([, path, methods]) => `${path} ${methods}`);
    const { paths } = JSON.parse(readFileSync('src/assets/console/v1/openapi.json', 'utf8'));
    const order = ['get', 'post', 'put', 'patch', 'delete'];
    const existing = Object.keys(paths).map((path) => {
      const methods = order.filter((method) => method in paths[path]);
      return `${path.replace('/console/v1', '')} ${methods.join(', ').toUpperCase()}`;
    });
    expect(listed.sort()).toEqual(existing.sort());
  });
});

describe('citations of documents in the source', () => {
  test('name headings that exist', () => {
    const links = citations();
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !resolves(link))).toEqual([]);
  });

  test('are links, not names of sections', () => {
    const names = cited(
      /\b(?:evaluation|contract|completions),\s+(?:\*\s+)?(?:section|operation|convention)/g,
    );
    expect(names.map(({ from }) => from)).toEqual([]);
  });
});

test('package.json, its lock file, the API, the OpenAPI document and the changelog have one version', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const lock = read('package-lock.json');
  const { info } = read('src/assets/console/v1/openapi.json');
  const [, newest] = readFileSync('CHANGELOG.md', 'utf8').match(/^## (?!Unreleased)(\S+)/m) ?? [];
  const { version } = read('package.json');
  expect([lock.version, lock.packages[''].version, apiVersion, info.version, newest]).toEqual(
    Array.from({ length: 5 }, () => version),
  );
});

test('the changelog has at most 60 lines for the newest version', () => {
  const [, newest = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  expect(newest.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
