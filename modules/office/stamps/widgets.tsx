export { ApplySeal, Sealed, useSource } from './web/use/Sealing.tsx';
