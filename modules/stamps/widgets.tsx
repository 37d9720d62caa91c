export { Sealing } from './web/use/Sealing.tsx';
