import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiVersion } from '../src/http/observe.ts';

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

/** The text of a file without its code blocks, whose comments look like headings. */
const textOf = (file: string) => readFileSync(file, 'utf8').replace(/^```.*?^```/gms, '');

/** The anchors of a document's headings, as GitHub generates them: a repeated heading gets a number. */
function anchorsOf(document: string): string[] {
  const anchors = [...textOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(' ', '-')
      .replace(/[^\p{L}\p{N}_-]/gu, ''),
  );
  return anchors.map((anchor, place) => {
    const earlier = anchors.slice(0, place).filter((other) => other === anchor).length;
    return earlier > 0 ? `${anchor}-${earlier}` : anchor;
  });
}

const anchors = new Map(documents.map((document) => [document, anchorsOf(document)]));

interface Link {
  from: string;
  path: string;
  anchor: string | undefined;
}

/** The links of a document to files of the project. */
const linksIn = (document: string): Link[] =>
  [...textOf(document).matchAll(/\]\(([^():\s]+)\)/g)].map(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    return {
      from: document,
      path: path === '' ? document : normalize(join(dirname(document), path)),
      anchor,
    };
  });

/** Whether the file of a link exists, and its heading if the link names one. */
const resolves = ({ path, anchor }: Link) =>
  anchor === undefined
    ? filesOfProject.has(path.replace(/\/$/, ''))
    : anchors.get(path)?.includes(anchor);

const filesOfProject = new Set([
  ...readdirSync('.'),
  ...['.github', 'docs', 'examples', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ),
]);

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

const sources = ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:[jt]sx?|css)$/.test(path))
    .map((path) => join(folder, path)),
);

describe('citations of documents in the source', () => {
  const cited = (pattern: RegExp) =>
    sources
      .filter((from) => from !== 'test/documents.test.ts')
      .flatMap((from) =>
        [...readFileSync(from, 'utf8').matchAll(pattern)].map((at) => ({ from, at })),
      );

  test('name headings that exist', () => {
    const links = cited(/\b(docs\/[\w/.-]+\.md)(?:#([\w-]+))?/g).map(
      ({ from, at: [, path = '', anchor] }) => ({ from, path, anchor }),
    );
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
  const [, newest] = readFileSync('CHANGELOG.md', 'utf8').match(/^## (\S+)/m) ?? [];
  const { version } = read('package.json');
  expect([lock.version, lock.packages[''].version, apiVersion, info.version, newest]).toEqual(
    Array.from({ length: 5 }, () => version),
  );
});

test('the changelog has at most 60 lines for the newest version', () => {
  const [, newest = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  expect(newest.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
