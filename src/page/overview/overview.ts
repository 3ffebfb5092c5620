export { Home } from './home.tsx';
