import type { RequestPart } from '../http/documented.ts';
import { isVersioned } from './answers.ts';
import { type Json, type Keep, reference } from './components.ts';
import { meaningOf } from './described.ts';
import { isChange, operationID, type Route } from './routes.ts';
import type { Convert } from './schemas.ts';

const text = { type: 'string' };

/** The parameters that an operation takes because of its method. */
export const commonParameters: Record<string, Json> = {
  dryRun: {
    name: 'dryRun',
    in: 'query',
    description: 'Check everything and answer what would be stored, but store nothing.',
    schema: { type: 'boolean', default: false },
  },
  ChangeNote: {
    name: 'Change-Note',
    in: 'header',
    description:
      'Why, in up to 500 characters, which the history keeps. What is not ASCII is percent-encoded UTF-8.',
    schema: text,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Change only this version; 412 when another is current.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 when this is still the version.',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same request under the same key takes effect once within 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

function commonOf(route: Route): string[] {
  if (!isChange(route)) return isVersioned(route) ? ['IfNoneMatch'] : [];
  return [
    'dryRun',
    'ChangeNote',
    ...(route.operation.isUnversioned ? [] : ['IfMatch']),
    ...(route.method === 'POST' ? ['IdempotencyKey'] : []),
  ];
}

/** A parameter of a path or query: what a client sends is text, so the validated type is shown. */
function parametersOf({ target, schema }: RequestPart, convert: Convert): Json[] {
  if (target === 'json') return [];
  const { properties = {}, required = [] } = Object(convert(schema, 'output'));
  const place = target === 'param' ? 'path' : 'query';
  return Object.entries<Json>(properties).map(([name, { description: own, ...type }]) => {
    const description = own ?? meaningOf(place, name);
    const isRequired = target === 'param' || (required.includes(name) && !('default' in type));
    return {
      name,
      in: place,
      ...(isRequired ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema: type,
    };
  });
}

/** A parameter where it is used. */
interface Use {
  name: string;
  isInPath: boolean;
  operation: string;
  text: string;
}

/** Whether a parameter has the name of its type but for the case, which not every file system tells apart. */
const isNamedLikeType = ({ name, text }: Use) =>
  text.toLowerCase().includes(`/schemas/${name.toLowerCase()}"`);

/** The name under which each parameter is kept: its own, or where others have it, with that of its first operation. */
function namesOf(uses: Use[]): Map<string, string> {
  const first = new Map(uses.toReversed().map((use) => [use.text, use]));
  const different = uses.filter((use) => first.get(use.text) === use);
  return new Map(
    different.map((use) => {
      const { name, isInPath, operation, text } = use;
      const isAlone =
        different.filter((other) => other.name === name).length === 1 && !isNamedLikeType(use);
      return [text, isAlone || isInPath ? name : `${operation}_${name}`];
    }),
  );
}

/** Keeps the parameters of all operations, and answers a function that refers to those of one: of its path, and of its own. */
export function parameterKeeper(routes: Route[], convert: Convert, keep: Keep) {
  const own = (route: Route) => route.parts.flatMap((part) => parametersOf(part, convert));
  const names = namesOf(
    routes.flatMap((route) =>
      own(route).map((parameter) => ({
        name: String(parameter.name),
        isInPath: parameter.in === 'path',
        operation: operationID(route),
        text: JSON.stringify(parameter),
      })),
    ),
  );
  return (route: Route): { ofPath: Json[]; ofOperation: Json[] } => {
    const kept = (where: string) =>
      own(route)
        .filter((parameter) => parameter.in === where)
        .map((parameter) =>
          keep('parameters', names.get(JSON.stringify(parameter)) ?? '', parameter),
        );
    const common = commonOf(route).map((name) => reference('parameters', name));
    return { ofPath: kept('path'), ofOperation: [...kept('query'), ...common] };
  };
}
