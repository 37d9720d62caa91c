export { useWaits } from './web/use-waits.ts';
