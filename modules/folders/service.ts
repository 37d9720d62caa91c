export { seesPaper } from './scope.ts';
