export { Delegations as StandIns } from './web/Delegations.tsx';
