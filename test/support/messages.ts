import type { Route } from '../../src/openapi/routes.ts';
import { described, type Piece, resolved } from './document.ts';

/** The message that the document shows of an operation's success; undefined where its answer has none. */
export function documentedMessage(route: Route): string | undefined {
  const answer = resolved(described(route).responses[route.operation.status ?? 200]);
  const [{ schema }] = Object.values<Piece>(answer.content);
  const { allOf = [] } = resolved(schema);
  const { message } = allOf.at(-1)?.properties ?? {};
  return message?.examples[0];
}

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** What the import of a project says of its report, made or in a dry run. */
export const importMessages = ({ stored, unchanged, refused, skipped }: Piece) =>
  ['stored', 'would be stored'].map(
    (done) =>
      `Project imported: ${stored} ${done}, ${unchanged} unchanged, ${refused.length} refused, ${skipped} skipped.`,
  );

/** What takes another name says how many entities it changed; of that, the answer has nothing else. */
const renaming =
  / (?:renamed successfully|would be renamed), (?:1 entity|(?:0|[2-9]|[1-9]\d+) entities) changed\.$/;

/**
 * The messages that a success may have: the documented one, and what a dry run says in its place. Those that count what
 * they did are made of the counts that the answer has.
 */
export function messagesOf(route: Route, body: Piece): (string | undefined)[] {
  const documented = documentedMessage(route);
  const { success } = route.operation;
  if (route.path.endsWith('/import')) return importMessages(body.data);
  if (documented === undefined || typeof success !== 'object') return [documented];
  const { title, done, ending = '' } = success;
  if (ending !== '') {
    const own = `, ${counted(body.removed, 'entry', 'entries')} removed`;
    return [documented.replace(', 1 entry removed', own), `${title} would be ${done}${own}.`];
  }
  const isRenaming = body.message.startsWith(`${title} `) && renaming.test(body.message);
  const mayRename = route.method === 'PATCH' && route.operation.summary.includes('another name');
  const renamed = mayRename && isRenaming ? [body.message] : [];
  return [documented, `${title} would be ${done}.`, ...renamed];
}
