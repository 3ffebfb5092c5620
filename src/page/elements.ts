// What the page makes its elements with, for the bundler (scripts/page/build.js).
export { Fragment, h } from 'preact';
