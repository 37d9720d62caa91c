import type { FieldError } from '#kernel/contract/refusal.ts';
import { fontFiles } from '../worker/press.ts';
import { uncommonIn } from './characters.ts';
import type { Faces } from './faces.ts';

/** A text to be printed: its field, and the name of its place for people. */
export interface Printed {
  field: string;
  label: string;
  text: string;
}

let faces: Promise<Faces> | null = null;
/** The typesetter's fonts, opened in this thread only for a text with a character that they may lack. */
const opened = (): Promise<Faces> => (faces ??= import('./faces.ts').then(({ openFaces }) => openFaces(fontFiles())));

/** Characters that would be printed as 〓, reported by field and place while the author can still change them. */
export async function unprintable(texts: readonly Printed[]): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const { field, label, text } of texts) {
    if (uncommonIn([text]).length === 0) continue;
    const missing = await (await opened()).prepare([text]);
    if (missing.length === 0) continue;
    const which = missing.map((one) => `“${one}”`).join('、');
    errors.push({
      field,
      label,
      msg: `${which}没有可用的字体，印出来会是空缺，请改用别的写法，或请系统管理员把有这个字的字体放进字体目录（FONT_DIR）`,
    });
  }
  return errors;
}
