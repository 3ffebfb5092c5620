import { readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesIn, read } from './files.js';

/** @typedef {{ from: string, path: string, anchor: string | undefined }} Link */

export const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...filesIn(['docs'], /\.md$/),
];

/**
 * Returns the text of a file without its code blocks, whose comments look like headings.
 * @param {string} file
 */
export const textOf = (file) => read(file).replace(/^```.*?^```/gms, '');

/**
 * Returns the anchors of a document's headings, as GitHub generates them: a repeated heading gets a number.
 * @param {string} document
 */
function anchorsOf(document) {
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

/**
 * Returns the links of a document to files of the project.
 * @param {string} document
 * @returns {Link[]}
 */
export const linksIn = (document) =>
  [...textOf(document).matchAll(/\]\(([^():\s]+)\)/g)].map(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    return {
      from: document,
      path: path === '' ? document : normalize(join(dirname(document), path)),
      anchor,
    };
  });

const filesOfProject = new Set([
  ...readdirSync('.'),
  ...['.github', 'docs', 'examples', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ),
]);

/**
 * Whether the file of a link exists, and its heading if the link names one.
 * @param {Link} link
 */
export const resolves = ({ path, anchor }) =>
  anchor === undefined
    ? filesOfProject.has(path.replace(/\/$/, ''))
    : (anchors.get(path)?.includes(anchor) ?? false);

const sources = filesIn(['src', 'test', 'scripts', 'bench'], /\.(?:[jt]sx?|css)$/).filter(
  (path) => !/^(?:test\/tools\/documents\.test\.ts|scripts\/house\/documents\.js)$/.test(path),
);

/**
 * Returns the matches of a pattern in the source.
 * @param {RegExp} pattern
 */
export const cited = (pattern) =>
  sources.flatMap((from) => [...read(from).matchAll(pattern)].map((at) => ({ from, at })));

/** Returns the links from the source to documents. */
export const citations = () =>
  cited(/\b(docs\/[\w/.-]+\.md)(?:#([\w-]+))?/g).map(({ from, at: [, path = '', anchor] }) => ({
    from,
    path,
    anchor,
  }));
