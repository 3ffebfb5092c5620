import { memberOf } from '../../../src/base/value_types.ts';
import { compileSpec, unboundedScope } from '../../../src/engine/evaluation/compile.ts';
import { entities, gate, rule } from './entities.ts';
import { answerFor, type Oracle } from './parity.ts';
import type { GeneratedUser } from './users.ts';

/** Operators on one field, each with targets, and values of suitable types. */
interface Family {
  operators: string[];
  targets: (string | number | (string | number)[] | undefined)[];
  values: unknown[];
}

const missing = [undefined, null];

const families: Record<string, Family> = {
  text: {
    operators: ['any', 'none', 'str_contains_any', 'str_contains_none'],
    targets: [
      ['Alpha', 'b'],
      ['5', 'TRUE'],
      [5, 0.5],
      ['Zoë 🗻', 'ü'],
      ['undefined', 'null'],
      [''],
    ],
    values: [
      'alpha',
      'ALPHA',
      'B',
      'ab',
      '',
      'undefined',
      'zoë 🗻',
      'Ü',
      '5',
      5,
      0.5,
      55,
      true,
      false,
      ...missing,
    ],
  },
  patterns: {
    operators: ['str_matches'],
    targets: ['^a', 'B$', '[0-9]{2}', 'undefined|null', '^$', 'e', '.'],
    values: ['alpha', 'AB', '', '42', 42, true, 'b'.repeat(999), 'e'.repeat(1000), ...missing],
  },
  numbers: {
    operators: ['gt', 'gte', 'lt', 'lte'],
    targets: [5, '0.5', -1500, 0, 1e3],
    values: [
      5,
      4.999,
      -1500,
      0,
      1e3,
      '5',
      '0.50',
      '-1.5e3',
      '1E3',
      '.5',
      '5.',
      'five',
      '5px',
      '',
      ' ',
      true,
      false,
      [5],
      ...missing,
    ],
  },
  versions: {
    operators: ['version_gt', 'version_gte', 'version_lt', 'version_lte'],
    targets: ['1.2.3', '2', '1.10.0', '0'],
    values: [
      '1.2.3',
      '1.2',
      '1.10',
      '2.0.0.0',
      '2.0.1',
      '1.2.3-beta',
      '1.2.4-1',
      '0.9',
      'v1',
      '1.x',
      '',
      2,
      1.1,
      ...missing,
    ],
  },
  times: {
    operators: ['before', 'after', 'on'],
    targets: [Date.UTC(2026, 5, 15, 12), Date.UTC(2026, 5, 15), 1_781_524_800],
    values: [
      ...[Date.UTC(2026, 5, 15, 12), 1_781_524_800, '1781524799', '1781524800001', 1_781_481_599],
      ...[
        '2026-06-15T12:00:00Z',
        '2026-06-15T11:59:59Z',
        '2026-06-16T00:00:00Z',
        '2026-06-15T12:00:00',
      ],
      ...[
        '2026-06-15',
        '2026-06-15T12:00:00.001Z',
        '2026-06-15T13:30:00+02:00',
        'soon',
        ...missing,
      ],
    ],
  },
  arrays: {
    operators: [
      'array_contains_any',
      'array_contains_none',
      'array_contains_all',
      'not_array_contains_all',
    ],
    targets: [['a', 'B'], ['a'], [5, 'a'], ['true']],
    values: [['a'], ['A'], ['a', 'B', 'c'], [], [5, 'a'], ['5'], [true], 'a', 5, ...missing],
  },
  nulls: {
    operators: ['is_null', 'is_not_null'],
    targets: [undefined],
    values: ['', 'a', 0, false, [], ...missing],
  },
};

interface Cell {
  operator: string;
  target: unknown;
  value: unknown;
}

/** A gate for each operator and target, and a user for each value. */
function* cellsOf({ operators, targets, values }: Family): Generator<Cell[]> {
  for (const value of values)
    yield targets.flatMap((target) => operators.map((operator) => ({ operator, target, value })));
}

const projectOf = ({ operators, targets }: Family) => {
  const asked = targets.flatMap((targetValue) =>
    operators.map((operator) => ({ operator, targetValue })),
  );
  const gates = asked.map(({ operator, targetValue }, index) => {
    const target = targetValue === undefined ? {} : { targetValue };
    return gate({
      id: `m_${index}`,
      rules: [rule('r', [{ type: 'custom_field', field: 'x', operator, ...target }])],
    });
  });
  return compileSpec(entities({ gates }), unboundedScope);
};

const passing = (answer: unknown, index: number): unknown =>
  memberOf(memberOf(memberOf(answer, 'feature_gates'), `m_${index}`), 'value');

/** Known differences: a sentence, and the affected cells. */
export type Known = [because: string, applies: (cell: Cell) => boolean];

/**
 * Compares the operators on all values.
 * @returns the number of cells, unknown differences, and known differences that did not occur
 */
export async function compareOperators(
  oracleOf: (project: ReturnType<typeof projectOf>) => Promise<Oracle>,
  known: Known[],
) {
  const unknown: Cell[] = [];
  const seen = new Set<string>();
  let cells = 0;
  for (const family of Object.values(families)) {
    const project = projectOf(family);
    const oracle = await oracleOf(project);
    for (const row of cellsOf(family)) {
      const x = row[0]?.value;
      const user: GeneratedUser = {
        userID: 'u-1',
        customIDs: {},
        custom: { x },
        statsigEnvironment: { tier: 'production' },
      };
      const [ours, theirs] = [answerFor(project, user, 'none'), oracle.of(user).initialize('none')];
      for (const [index, cell] of row.entries()) {
        cells++;
        if (passing(ours, index) === passing(theirs, index)) continue;
        const found = known.find(([, applies]) => applies(cell));
        if (found) seen.add(found[0]);
        else unknown.push(cell);
      }
    }
    await oracle.shutdown();
  }
  return {
    cells,
    unknown,
    unseen: known.map(([because]) => because).filter((because) => !seen.has(because)),
  };
}
