export { followedPapers } from './approving.ts';
export { outdatedIn } from './cited.ts';
export { paperFrom, paperOf } from './from-document.ts';
export { linkedPapers } from './linked.ts';
export { lookerOf, seesPaper } from './scope.ts';
