export { boundAmong, unbind } from './binding.ts';
export { leaveUrl } from './leaving.ts';
