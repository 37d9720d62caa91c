export { ApplySeal, Sealed } from './web/use/Sealing.tsx';
