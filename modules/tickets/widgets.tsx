export { HandOver } from './web/handover/HandOver.tsx';
