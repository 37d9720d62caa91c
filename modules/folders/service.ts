export { outdatedIn } from './cited.ts';
export { linkedPapers } from './linked.ts';
export { lookerOf, seesPaper } from './scope.ts';
