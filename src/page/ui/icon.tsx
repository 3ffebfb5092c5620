/** Icons as strokes in a square of 16; they say nothing that the words beside them do not. */
const paths = {
  add: 'M8 3v10M3 8h10',
  alert: 'M8 2 1.8 13h12.4zM8 6.5v3M8 11.4v.1',
  archive: 'M2 3h12v3H2zM3 6v7h10V6M6.5 9h3',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  book: 'M8 4.5C6.5 3 4.5 2.8 2.5 3v9.5c2-.2 4 0 5.5 1.5 1.5-1.5 3.5-1.7 5.5-1.5V3c-2-.2-4 0-5.5 1.5zM8 4.5V14',
  braces:
    'M6 2.5c-2 0-1.5 2-1.5 3.5S3 8 3 8s1.5 .5 1.5 2S4 13.5 6 13.5M10 2.5c2 0 1.5 2 1.5 3.5S13 8 13 8s-1.5.5-1.5 2 .5 3.5-1.5 3.5',
  at: 'M8 5.5a2.5 2.5 0 1 0 .01 0M10.5 8c0 3 3.5 3 3.5 0a6 6 0 1 0-3 5.2',
  bulb: 'M6 13h4M6.5 11c0-2-2.5-2.5-2.5-5a4 4 0 0 1 8 0c0 2.5-2.5 3-2.5 5z',
  chart: 'M3 13V8M6.5 13V3M10 13V6M13.5 13v-3',
  check: 'M3 8.5 6.5 12 13 4.5',
  clock: 'M8 2a6 6 0 1 0 .01 0M8 4.5V8l2.5 1.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  dot: 'M8 5.5a2.5 2.5 0 1 0 .01 0',
  flask: 'M6 2h4M6.5 2v4L3 13h10L9.5 6V2M5 10h6',
  gate: 'M5 4.5h6a3.5 3.5 0 0 1 0 7H5a3.5 3.5 0 0 1 0-7zM5 6.5a1.5 1.5 0 1 0 .01 0',
  globe: 'M8 2a6 6 0 1 0 .01 0M2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
  gear: 'M8 5.8a2.2 2.2 0 1 0 .01 0M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4M8 3.8a4.2 4.2 0 1 0 .01 0',
  home: 'M2.5 7.5 8 3l5.5 4.5M4 7v6h8V7',
  info: 'M8 2a6 6 0 1 0 .01 0M8 7.5V11M8 5v.1',
  key: 'M10.5 2.5a3 3 0 1 0 .01 0M8.5 7.5 3 13M5 11l1.5 1.5M7 9l1 1',
  layers: 'M8 2.5 14 6 8 9.5 2 6zM2.5 9 8 12l5.5-3',
  left: 'M10 3 5 8l5 5',
  list: 'M3 4h10M3 8h10M3 12h6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  message: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  more: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  people: 'M6 3a2.5 2.5 0 1 0 .01 0M2 13c0-5 8-5 8 0M11 4a2 2 0 0 1 0 4M12 9c1.5.5 2 2 2 4',
  person: 'M8 2.5a3 3 0 1 0 .01 0M2.5 14c0-6 11-6 11 0',
  plug: 'M5.5 2v4M10.5 2v4M3.5 6h9v2a4.5 4.5 0 0 1-9 0zM8 12.5V14.5',
  redo: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3',
  right: 'M6 3l5 5-5 5',
  rocket: 'M6 10 4 8c2-5 5-6 9.5-5.5C14 7 13 10 8 12zM4 8H2l2-2.5M8 12v2l2.5-2M10 6v.1',
  search: 'M7 2.5a4.5 4.5 0 1 0 .01 0M10.5 10.5 14 14',
  send: 'M14 2 7 9M14 2 9.5 14 7 9 2 6.5z',
  shield: 'M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4z',
  signOut: 'M9 3H3v10h6M7 8h7M11.5 5.5 14 8l-2.5 2.5',
  sliders: 'M2.5 5h6M12 5h1.5M10 3.5v3M2.5 11H4M7.5 11h6M5.5 9.5v3',
  sun: 'M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.5 3.5l1 1M11.5 11.5l1 1M12.5 3.5l-1 1M4.5 11.5l-1 1',
  steps: 'M2 13h3.5v-3H9V7h3.5V4H14',
  tag: 'M2.5 2.5h5.5l5.5 5.5-5.5 5.5L2.5 8zM5.5 5.5v.1',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4 4.5 4.5 13.5h7L12 4.5M6.5 7v4M9.5 7v4',
  window: 'M2 3h12v10H2zM2 6h12M4 4.5v.1',
  zap: 'M9 2 3.5 9H8l-1 5 5.5-7H8z',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
