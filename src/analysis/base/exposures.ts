import { sumOf } from '../../base/numbers.ts';
import { dayLength } from '../../base/time.ts';
import { clientDimensions } from '../../data/exposures/dimensions.ts';
import type { StartGroup } from '../../experiments/starts/table.ts';
import { byteLength } from '../../platform/store/sql/rows.ts';
import { type CellPlace, keyOfCell } from './cells.ts';
import type { DayScope } from './scope.ts';

export interface Unit {
  unit: string;
  group: string;
  time: number;
  attributes: Record<string, unknown>;
}

export interface ExposureCell extends CellPlace {
  new: number;
  cumulative: number;
  crossovers: number;
  exposures: number;
  firstTimes: number;
  early: number;
}

export interface ExposedUnit {
  unit: string;
  attributes: Record<string, unknown>;
  seen: [group: string, time: number, draw: number][];
  isEarly: boolean;
}

const maxSlices = 20;
export const otherSlice = '(other values)';

/** Bytes of the counted values; of more, the rarest so far are dropped. A row has 2 MB, and quotes are escaped twice. */
const maxBytes = 900_000;

export const allUnits = { dimension: '', slice: '' };

/** Values of units that read like the remainder get one more quote, so that no value shares its slice. */
const attributeText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/^\(other values\)'*$/, "$&'") : '';

/** Returns the slices of a unit: all units, and its value of each dimension. */
export const slicesOf = (dimensions: readonly string[], attributes: Record<string, unknown>) => [
  allUnits,
  ...dimensions.map((dimension) => ({ dimension, slice: attributeText(attributes[dimension]) })),
];

const clientSlicesOf = (dimensions: readonly string[], attributes: Record<string, unknown>) =>
  clientDimensions
    .map((dimension) => ({ dimension, slice: attributeText(attributes[dimension]) }))
    .filter(({ dimension, slice }) => slice !== '' && !dimensions.includes(dimension));

const noExposures = { new: 0, cumulative: 0, crossovers: 0, exposures: 0, firstTimes: 0, early: 0 };

const isLeftOut = (groups: readonly StartGroup[], group: string, draw: number): boolean => {
  const { drawsBelow } = groups.find(({ id }) => id === group) ?? {};
  return drawsBelow !== undefined && draw >= drawsBelow;
};

type Counter = keyof typeof noExposures;

function additionsOf(
  { attributes, seen, isEarly }: ExposedUnit,
  { analysis: { groups, settings }, ds }: DayScope,
): [CellPlace, Counter, number][] {
  const isOfDay = (time: number) => Math.floor(time / dayLength) === ds;
  const recorded = seen
    .filter(([, time]) => isOfDay(time))
    .flatMap(([group, time]): [CellPlace, Counter, number][] => [
      [{ ...allUnits, group }, 'exposures', 1],
      [{ ...allUnits, group }, 'firstTimes', time % dayLength],
    ]);
  const [first, second] = seen;
  if (second) {
    const left = ['', ...seen.map(([group]) => group)];
    return [
      ...recorded,
      ...left.map((group): [CellPlace, Counter, number] => [
        { ...allUnits, group },
        'crossovers',
        1,
      ]),
    ];
  }
  if (!first || isLeftOut(groups, first[0], first[2])) return recorded;
  const [group, time] = first;
  return [
    ...recorded,
    [{ ...allUnits, group }, 'early', isEarly ? 1 : 0],
    ...[
      ...slicesOf(settings.dimensions, attributes),
      ...clientSlicesOf(settings.dimensions, attributes),
    ].flatMap((slice): [CellPlace, Counter, number][] => [
      [{ ...slice, group }, 'cumulative', 1],
      [{ ...slice, group }, 'new', isOfDay(time) ? 1 : 0],
    ]),
  ];
}

export function countExposures(
  known: readonly ExposureCell[],
  units: readonly ExposedUnit[],
  scope: DayScope,
): ExposureCell[] {
  const cells = new Map(known.map((cell) => [keyOfCell(cell), { ...cell }]));
  const none = scope.analysis.groups.map(({ id }): [CellPlace, Counter, number] => [
    { ...allUnits, group: id },
    'new',
    0,
  ]);
  for (const [place, counter, amount] of [
    ...none,
    ...units.flatMap((unit) => additionsOf(unit, scope)),
  ]) {
    const cell = cells.get(keyOfCell(place)) ?? { ...place, ...noExposures };
    cell[counter] += amount;
    cells.set(keyOfCell(place), cell);
  }
  return [...cells.values()];
}

const cellBytes = (cells: readonly ExposureCell[]): number => byteLength(JSON.stringify(cells));

function byFrequency(cells: readonly ExposureCell[]): [string, ExposureCell[]][] {
  const values = cells.filter(({ slice }) => slice !== otherSlice);
  return [...Map.groupBy(values, ({ slice }) => slice)]
    .map(([slice, own]) => ({ slice, own, units: sumOf(own.map((cell) => cell.cumulative)) }))
    .sort((a, b) => b.units - a.units || (a.slice < b.slice ? -1 : 1))
    .map(({ slice, own }) => [slice, own]);
}

interface Bounds {
  slices: number;
  bytes: number;
}

function largestSlices(cells: readonly ExposureCell[], most: Bounds): ReadonlySet<string> {
  const kept = new Set<string>();
  let room = most.bytes;
  for (const [slice, own] of byFrequency(cells)) {
    room -= cellBytes(own);
    if (room < 0 || kept.size === most.slices) break;
    kept.add(slice);
  }
  return kept;
}

function foldDimension(cells: readonly ExposureCell[], most: Bounds): ExposureCell[] {
  const kept = largestSlices(cells, most);
  const folded = new Map<string, ExposureCell>();
  for (const { dimension, group, ...cell } of cells) {
    const slice = kept.has(cell.slice) ? cell.slice : otherSlice;
    const place = { dimension, slice, group };
    const sum = folded.get(keyOfCell(place)) ?? { ...place, ...noExposures };
    sum.new += cell.new;
    sum.cumulative += cell.cumulative;
    folded.set(keyOfCell(place), sum);
  }
  return [...folded.values()];
}

function foldRare(cells: readonly ExposureCell[], slices: number): ExposureCell[] {
  const byDimension = Map.groupBy(cells, ({ dimension }) => dimension);
  const ofAll = byDimension.get('') ?? [];
  byDimension.delete('');
  // The smallest dimension comes first, and leaves its room to the others.
  const dimensions = [...byDimension.values()].sort((a, b) => a.length - b.length);
  let room = maxBytes;
  const folded = dimensions.map((own, index) => {
    const kept = foldDimension(own, { slices, bytes: room / (dimensions.length - index) });
    room -= cellBytes(kept);
    return kept;
  });
  return [...ofAll, ...folded.flat()];
}

export const withoutRarest = (cells: readonly ExposureCell[]) =>
  foldRare(cells, Number.POSITIVE_INFINITY);

/** Returns the exposures with the largest slices of each dimension; the others become one. */
export const withLargestSlices = (cells: readonly ExposureCell[]) => foldRare(cells, maxSlices);
