export { askForExport } from './asking.ts';
export { purgeExports } from './making.ts';
