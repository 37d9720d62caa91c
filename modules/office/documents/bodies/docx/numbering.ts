import { XMLParser } from 'fast-xml-parser';
import { counted } from './counting.ts';

interface Level {
  format: string;
  text: string;
  start: number;
}
interface Node {
  [key: string]: unknown;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  processEntities: false,
  isArray: (name) => ['w:abstractNum', 'w:num', 'w:lvl', 'w:lvlOverride', 'w:style'].includes(name),
});
const nodes = (of: unknown): Node[] => (Array.isArray(of) ? (of as Node[]) : []);
const value = (of: unknown): string => String((of as Node | undefined)?.['@w:val'] ?? '');
const parsed = (xml: string, root: string): Node => ((parser.parse(xml) as Node)[root] ?? {}) as Node;

const levelOf = (lvl: Node): Level => ({
  format: value(lvl['w:numFmt']),
  text: value(lvl['w:lvlText']),
  start: Number(value(lvl['w:start']) || 1),
});
const levelsOf = (of: unknown) => new Map(nodes(of).map((lvl) => [Number(lvl['@w:ilvl']), levelOf(lvl)]));

/** The list and level of each paragraph style. */
function styledLists(xml: string): Map<string, { list: string; level: number }> {
  const styles = nodes(parsed(xml, 'w:styles')['w:style']);
  return new Map(
    styles.flatMap((style) => {
      const asked = (style['w:pPr'] as Node | undefined)?.['w:numPr'] as Node | undefined;
      const list = value(asked?.['w:numId']);
      return list ? [[String(style['@w:styleId']), { list, level: Number(value(asked?.['w:ilvl']) || 0) }]] : [];
    }),
  );
}

const properties = /<w:pPr>(.*?)<\/w:pPr>/gs;
const changed = /<w:pPrChange[ >].*?<\/w:pPrChange>/gs;
const none = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>';

/**
 * Writes automatic list numbers into the text, because the reader of Word files knows only that there is a list, not whether it says 一、 or
 * （1）. Bullets stay a list.
 */
export function withNumbers(document: string, numbering: string, styles: string): string {
  const root = parsed(numbering, 'w:numbering');
  const abstracts = new Map(
    nodes(root['w:abstractNum']).map((one) => [one['@w:abstractNumId'], levelsOf(one['w:lvl'])]),
  );
  const lists = new Map(
    nodes(root['w:num']).map((num) => {
      const abstract = value(num['w:abstractNumId']);
      const starts = nodes(num['w:lvlOverride']).map(
        (one) => [Number(one['@w:ilvl']), Number(value(one['w:startOverride']) || 0)] as const,
      );
      return [String(num['@w:numId']), { abstract, starts: new Map(starts.filter(([, start]) => start > 0)) }];
    }),
  );
  const styled = styledLists(styles);
  const counts = new Map<string, number[]>();
  const begun = new Set<string>();

  const labelOf = (id: string, level: number): string | null => {
    const list = lists.get(id);
    const levels = list && abstracts.get(list.abstract);
    const own = levels?.get(level);
    if (!list || !own || own.format === 'bullet') return null;
    const count = counts.get(list.abstract) ?? [];
    counts.set(list.abstract, count);
    const start = list.starts.get(level);
    if (start !== undefined && !begun.has(`${id}:${level}`)) count[level] = start - 1;
    begun.add(`${id}:${level}`);
    count[level] = (count[level] ?? own.start - 1) + 1;
    count.length = level + 1;
    const label = own.text.replace(/%(\d)/g, (_, number: string) => {
      const of = Number(number) - 1;
      const at = levels?.get(of);
      return counted(count[of] ?? at?.start ?? 1, at?.format ?? 'decimal');
    });
    return /[\d.．a-zA-Z]$/.test(label) ? `${label} ` : label;
  };

  return document.replace(changed, '').replace(properties, (whole, inner: string) => {
    const own = /<w:numPr>.*?<\/w:numPr>/s.exec(inner)?.[0] ?? '';
    const style = styled.get(/<w:pStyle w:val="([^"]*)"/.exec(inner)?.[1] ?? '');
    const list = /<w:numId w:val="(\d+)"/.exec(own)?.[1] ?? style?.list;
    if (!list) return whole;
    const level = Number(/<w:ilvl w:val="(\d)"/.exec(own)?.[1] ?? style?.level ?? 0);
    const label = labelOf(list, level);
    if (label === null) return whole;
    const kept = own ? inner.replace(own, none) : `${inner}${none}`;
    return `<w:pPr>${kept}</w:pPr><w:r><w:t xml:space="preserve">${label}</w:t></w:r>`;
  });
}
