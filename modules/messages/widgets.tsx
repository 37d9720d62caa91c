export { Bell } from './web/Bell.tsx';
