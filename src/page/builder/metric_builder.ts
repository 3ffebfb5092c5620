// The script of the page "New metric", loaded when it is opened.
export { Builder } from './builder.tsx';
