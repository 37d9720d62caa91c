export { boundAmong, unbind } from './binding.ts';
