export { blocksOf, levelOf, wordsOf } from './blocks.ts';
export { dateText } from './elements.ts';
export {
  formOf,
  type ContractInput,
  type PdfInput,
  type SheetFact,
  type SheetInput,
  type TableInput,
} from './input.ts';
export { pictureMark, type SetPicture } from './pictures.ts';
export { unprintable, type Printed } from './ink/unprintable.ts';
export { contractPdf, documentPdf, labelsPdf, processingSheetPdf, tablePdf } from './worker/press.ts';
