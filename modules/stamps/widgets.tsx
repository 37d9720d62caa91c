export { ApplySeal, Sealed, Sealing } from './web/use/Sealing.tsx';
