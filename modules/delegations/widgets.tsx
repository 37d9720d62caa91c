export { StandIns } from './web/StandIns.tsx';
