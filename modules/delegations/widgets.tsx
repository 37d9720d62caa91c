export { Delegations as StandIns } from './web/StandIns.tsx';
