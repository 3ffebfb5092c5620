import { isObject } from '../../base/value_types.ts';
import type { RequestPart } from '../http/documented.ts';
import { type Json, type Keep, reference } from './components.ts';
import { isVersioned } from './responses.ts';
import { isChange, operationID, type Route } from './routes.ts';
import type { Convert } from './schemas.ts';
import { pathWords, queryWords } from './words/common.ts';
import { parameterWords } from './words/describe.ts';

const text = { type: 'string' };

export const commonParameters: Record<string, Json> = {
  dryRun: {
    name: 'dryRun',
    in: 'query',
    description: 'Check everything and return the result, but store nothing.',
    schema: { type: 'boolean', default: false },
  },
  ChangeNote: {
    name: 'Change-Note',
    in: 'header',
    description:
      'The reason, up to 500 characters, stored in the history. Encode non-ASCII as percent-encoded UTF-8.',
    schema: text,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Change only this version; 412 if another is current.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Return 304 if this is the current version.',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same request with the same key takes effect once in 24 hours.',
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

const common = {
  path: new Map(Object.entries(pathWords)),
  query: new Map(Object.entries(queryWords)),
};

/** Types are as after validation: clients send text. */
function routeParameters(route: Route, { target, schema }: RequestPart, convert: Convert): Json[] {
  if (target === 'json') return [];
  const { properties, required } = convert(schema, 'output');
  if (!isObject(properties)) return [];
  const place = target === 'param' ? 'path' : 'query';
  const ownWords = parameterWords.get(`${route.method} ${route.path}`);
  return Object.entries(properties).map(([name, property]) => {
    const type = isObject(property) ? property : {};
    const description = ownWords?.[name] ?? common[place].get(name);
    const isRequired =
      target === 'param' ||
      (Array.isArray(required) && required.includes(name) && !('default' in type));
    return {
      name,
      in: place,
      ...(isRequired ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema: type,
    };
  });
}

interface ParameterUse {
  name: string;
  isInPath: boolean;
  operation: string;
  text: string;
}

/** Whether a parameter and its type differ only by case, which some file systems ignore. */
const isNamedLikeType = ({ name, text }: ParameterUse) =>
  text.toLowerCase().includes(`/schemas/${name.toLowerCase()}"`);

function parameterNames(uses: ParameterUse[]): Map<string, string> {
  const first = new Map(uses.toReversed().map((use) => [use.text, use]));
  const different = uses.filter((use) => first.get(use.text) === use);
  return new Map(
    different.map((use) => {
      const { name, isInPath, operation, text } = use;
      const isUnique =
        different.filter((other) => other.name === name).length === 1 && !isNamedLikeType(use);
      return [text, isUnique || isInPath ? name : `${operation}_${name}`];
    }),
  );
}

/** Returns a function that keeps the parameters of an operation and returns references to them. */
export function parameterKeeper(routes: Route[], convert: Convert, keep: Keep) {
  const own = (route: Route) =>
    route.parts.flatMap((part) => routeParameters(route, part, convert));
  const names = parameterNames(
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
