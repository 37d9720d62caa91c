export { LetterheadSelect as RedheadSelect } from './web/LetterheadSelect.tsx';
export { Letterheads as Redheads } from './web/Letterheads.tsx';
