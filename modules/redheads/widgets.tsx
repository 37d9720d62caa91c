export { RedheadSelect } from './web/RedheadSelect.tsx';
export { Redheads } from './web/Redheads.tsx';
