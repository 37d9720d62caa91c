const many = (xml: string, tag: RegExp) => xml.match(tag)?.length ?? 0;
/** The text of a header or footer without the page number. */
const words = (xml: string) =>
  xml
    .replace(/<w:instrText[^>]*>[^<]*<\/w:instrText>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/[\s\d—–\-第页共·]/g, '');

/** The parts of a Word file that its text cannot hold, in words for the sender. */
export function lossesOf(document: string, parts: Readonly<Record<string, string>>): string[] {
  const boxes = Math.max(many(document, /<wps:txbx[ >]/g), many(document, /<v:textbox[ >]/g));
  const kept = many(document, /<v:textbox[ >]/g) >= many(document, /<wps:txbx[ >]/g);
  const notes = many(document, /<w:(?:foot|end)noteReference[ /]/g);
  const changes = many(document, /<w:(?:ins|del|moveFrom|moveTo)[ >]/g);
  const shapes = many(document, /<wps:wsp[ >]/g) - many(document, /<wps:txbx[ >]/g);
  const said: [number, (count: number) => string][] = [
    [notes, (count) => `脚注、尾注 ${count} 条：移到正文末尾`],
    [boxes, (count) => `文本框 ${count} 个：${kept ? '文字移到所在段落之后' : '没有保留'}`],
    [changes, (count) => `修订痕迹 ${count} 处：按接受修订后的文字`],
    [many(document, /<w:commentReference[ /]/g), (count) => `批注 ${count} 条：没有保留`],
    [many(document, /<m:oMath[ >]/g), (count) => `公式 ${count} 个：没有保留`],
    [many(document, /<(?:c|cx):chart[ >]|<dgm:relIds[ >]/g), (count) => `图表、智能图形 ${count} 个：没有保留`],
    [many(document, /<o:OLEObject[ >]/g), (count) => `嵌入的对象 ${count} 个：只保留它的图片`],
    [Math.max(0, shapes), (count) => `图形 ${count} 个：没有保留`],
    [many(document, /<w:altChunk[ >]/g), (count) => `嵌入的文档 ${count} 份：没有保留`],
    [many(document, /<w:d?strike(?:\/| w:val="(?:1|true)")/g), (count) => `删除线 ${count} 处：没有保留，文字照排`],
    [
      Object.entries(parts).filter(([path, xml]) => /^word\/(?:header|footer)/.test(path) && words(xml)).length,
      () => '页眉、页脚的文字：没有保留',
    ],
    [many(document, /<w:cols [^>]*w:num="[2-9]/g), () => '分栏：排成一栏'],
  ];
  return said.flatMap(([count, words]) => (count > 0 ? [words(count)] : []));
}
