export { Builder } from './builder.tsx';
export { Definition } from './definition.tsx';
