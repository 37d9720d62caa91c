export { LetterheadSelect } from './web/LetterheadSelect.tsx';
export { Letterheads } from './web/Letterheads.tsx';
