// Injected by the bundler (scripts/page/build.js).
export { Fragment, h } from 'preact';
