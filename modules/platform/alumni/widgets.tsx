export { AlumniFilter } from './web/AlumniFilter.tsx';
export { AlumniPicker } from './web/AlumniPicker.tsx';
