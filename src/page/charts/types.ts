/** The bounds of an interval. */
export interface Bounds {
  lower: number;
  upper: number;
}
