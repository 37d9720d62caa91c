import type { Definition } from '../definition.ts';
import { hiddenIn, isPlainText, isShownToAll, namedInNotices, namedInTitles, placeholdersOf } from '../templates.ts';
import { unknownPrinted } from '../fields/print-template.ts';
import { at, on, whole, type Problem } from './problem.ts';

/** Titles appear in every list and notices go to everybody concerned: neither may contain what the form hides from one of them. */
export function templateProblems(definition: Definition): Problem[] {
  const { title_template, content_template } = definition.settings;
  return [
    ...problemsIn(definition, '标题模板', title_template, namedInTitles),
    ...problemsIn(definition, '通知内容', content_template, namedInNotices),
    ...unknownPrinted(definition).map((key) => whole(`打印模板里的字段“${key}”不存在，请从打印模板里去掉`)),
  ];
}

function problemsIn(definition: Definition, where: string, template: string, known: readonly string[]): Problem[] {
  return placeholdersOf(template)
    .filter((key) => !known.includes(key))
    .flatMap((key) => {
      const field = definition.fields.find((one) => one.key === key);
      if (!field) return whole(`${where}里的字段“${key}”不存在`);
      const uses = `${where}用了字段“${field.name}”`;
      if (!isPlainText(field))
        return on(field, `${uses}，富文本、表格、附件和系统显示的内容不能写成一行文字，请从${where}里去掉`);
      const hides = hiddenIn(definition, key);
      if (hides) return at(hides, `${uses}，环节“${hides.name}”却不显示它：请从${where}里去掉，或让这个环节能看到它`);
      return isShownToAll(definition, key)
        ? []
        : on(field, `${uses}，仅查看者看不到它：请从${where}里去掉，或加到“仅查看者可见的字段”`);
    });
}
