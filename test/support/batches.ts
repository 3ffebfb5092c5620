import { env } from 'cloudflare:workers';

/** The most that one batch had since the file began. */
interface Largest {
  statements: number;
  bytes: number;
}

const utf8 = new TextEncoder();

const bytesOf = (value: unknown) => (typeof value === 'string' ? utf8.encode(value).length : 8);

/** The SQL and the parameters of a prepared statement, as the runtime keeps them. */
function bytesOfStatement(prepared: object): number {
  const { statement, params }: { statement?: unknown; params?: unknown } = { ...prepared };
  if (typeof statement !== 'string' || !Array.isArray(params))
    throw new Error('The runtime keeps the SQL of a statement elsewhere.');
  return bytesOf(statement) + params.reduce<number>((sum, value) => sum + bytesOf(value), 0);
}

/** Measures every batch that the Worker sends, below its own code. */
export function watchBatches(): Largest {
  const largest = { statements: 0, bytes: 0 };
  const session: D1DatabaseSession = Object.getPrototypeOf(env.DB.withSession('first-primary'));
  session.batch = new Proxy(session.batch, {
    apply(batch, self, args: [D1PreparedStatement[]]) {
      const [statements] = args;
      const bytes = statements.reduce((sum, each) => sum + bytesOfStatement(each), 0);
      largest.statements = Math.max(largest.statements, statements.length);
      largest.bytes = Math.max(largest.bytes, bytes);
      return Reflect.apply(batch, self, args);
    },
  });
  return largest;
}
