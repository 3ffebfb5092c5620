import { words as sharedWords } from './shared.ts';

type ByName = Readonly<Record<string, string>>;

interface AnyWords {
  path?: string;
  schemas?: Readonly<Record<string, ByName>>;
  variants?: Readonly<Record<string, ByName>>;
  parameters?: Readonly<Record<string, ByName | undefined>>;
  operations?: Readonly<Record<string, string | undefined>>;
}

const modules = import.meta.glob<Record<string, AnyWords>>(
  '../../../{organization/*,data/*,flags/*,experiments/*,project/*,results,delivery/explain}/words.ts',
  {
    eager: true,
  },
);

const all: AnyWords[] = [sharedWords, ...Object.values(modules).flatMap(Object.values<AnyWords>)];

/** Returns the whole path of an operation: `GET /:id` of gates → `GET /console/v1/gates/:id`. */
const wholePath = (operation: string, path: string | undefined) =>
  operation.replace(/ (\/.*)$/, (_, rest) => ` /console/v1/${path}${rest === '/' ? '' : rest}`);

const byOperation = <Value>(
  path: string | undefined,
  values: Readonly<Record<string, Value | undefined>> = {},
) =>
  Object.entries(values).flatMap(([operation, value]): [string, Value][] =>
    value === undefined ? [] : [[wholePath(operation, path), value]],
  );

/** The sentences of properties, by schema. */
export const schemaWords: ReadonlyMap<string, ByName> = new Map(
  all.flatMap(({ schemas = {}, variants = {} }) => [
    ...Object.entries(schemas),
    ...Object.entries(variants),
  ]),
);

/** The sentences of parameters, by operation: `GET /console/v1/gates`. */
export const ownParameterWords: ReadonlyMap<string, ByName> = new Map(
  all.flatMap(({ path, parameters }) => byOperation(path, parameters)),
);

/** The descriptions of single operations. */
export const operationWords: ReadonlyMap<string, string> = new Map(
  all.flatMap(({ path, operations }) => byOperation(path, operations)),
);
