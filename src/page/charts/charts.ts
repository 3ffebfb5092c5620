// The script of charts outside of results, loaded when a page with one is opened.
export { Bars } from './bars.tsx';
export { LineChart } from './line_chart.tsx';
export { Stacked } from './stacked.tsx';
export { TableOf } from './table_of.tsx';
