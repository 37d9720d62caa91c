export { boundAmong, unbind } from './binding.ts';
export { releaseSso } from './identities.ts';
export { leaveUrl } from './leaving.ts';
