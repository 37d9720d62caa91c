export { AlumniFilter } from './web/AlumniFilter.tsx';
