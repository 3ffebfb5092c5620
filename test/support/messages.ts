import type { Route } from '../../src/platform/openapi/routes.ts';
import { operationOf, type Piece, resolved } from './document.ts';

/** Returns the documented success message of an operation; undefined if it has none. */
export function documentedMessage(route: Route): string | undefined {
  const response = resolved(operationOf(route).responses[route.operation.status ?? 200]);
  const [{ schema }] = Object.values<Piece>(response.content);
  const { allOf = [] } = resolved(schema);
  const { message } = allOf.at(-1)?.properties ?? {};
  return message?.examples[0];
}

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** Returns the messages of an import by its report, of a change and of a dry run. */
export const importMessages = ({ stored, unchanged, refused, skipped }: Piece) =>
  ['stored', 'would be stored'].map(
    (done) =>
      `Project imported: ${stored} ${done}, ${unchanged} unchanged, ${refused.length} refused, ${skipped} skipped.`,
  );

/** The message of a renaming; its number of changed entities is nowhere else in the response. */
const renaming =
  / (?:renamed successfully|would be renamed), (?:1 entity|(?:0|[2-9]|[1-9]\d+) entities) changed\.$/;

/** Returns the possible messages of a success, also of a dry run, with the counts of the response. */
export function messagesOf(route: Route, body: Piece): (string | undefined)[] {
  const documented = documentedMessage(route);
  const { success } = route.operation;
  if (route.path.endsWith('/import')) return importMessages(body.data);
  if (documented === undefined || typeof success !== 'object')
    return [documented, documented?.replace(' is ', ' would be ')];
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
