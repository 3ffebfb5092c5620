export { Builder } from './builder.tsx';
