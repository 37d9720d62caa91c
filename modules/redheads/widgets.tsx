export { LetterheadSelect as RedheadSelect } from './web/RedheadSelect.tsx';
export { Letterheads as Redheads } from './web/Redheads.tsx';
