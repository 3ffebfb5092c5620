export interface Bounds {
  lower: number;
  upper: number;
}
