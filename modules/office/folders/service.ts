export { papers } from './papers/record.ts';
