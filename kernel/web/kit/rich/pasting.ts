/** What is pasted as the editor takes it, and what of it cannot stand here, in words. */
export interface Pasted {
  html: string;
  lost: string[];
}

/** Elements of a table that are nothing without it: a block of cells is cut out of its table. */
const ofTable = /^\s*<(?:col|colgroup|tr|td|th|tbody|thead)[\s>]/i;
/** Comments of Word, where they are anchored and their texts at the end. */
const comments =
  '.MsoCommentReference, .MsoCommentText, .msocomtxt, .msocomanchor, .msocomoff, [style*="mso-element:comment"], [style*="mso-comment"]';
/** What was deleted while changes are tracked. */
const deleted = 'del, .msoDel, [style*="mso-hide:all"], [style*="mso-hide: all"]';
const unreadable = 'style, script, xml, head, title, meta, link, noscript, template';
const pictures = 'img, picture, svg, canvas, video, object, embed, iframe';

/**
 * What other programs bring along is left behind: their own elements, hidden and deleted text, comments, the blanks they indent with. Cells stay
 * the table they were, and what is left out that somebody sees there is said.
 */
export function pasted(given: string): Pasted {
  const cut = /<!--StartFragment-->([\s\S]*?)<!--EndFragment-->/.exec(given)?.[1] ?? given;
  const whole = cut.replace(/<!\[[^\]]*\]>/g, '').replace(/<\/?(?:o|w|v|m|x):[^>]*>/gi, '');
  const bare = whole.replace(/<!--[\s\S]*?-->/g, '');
  // Read by itself a row is no row: all of it would be lost but the words.
  const read = new DOMParser().parseFromString(ofTable.test(bare) ? `<table>${bare}</table>` : bare, 'text/html');
  const take = (what: string) => {
    const found = [...read.querySelectorAll(what)];
    // What stands in another of them is the same one: a picture in its frame, a deletion marked twice.
    const outer = found.filter((one) => !one.parentElement?.closest(what));
    for (const one of outer) one.remove();
    return outer.length;
  };
  take(unreadable);
  const [struck, said, seen] = [take(deleted), take(comments), take(pictures)];
  for (const one of read.querySelectorAll<HTMLElement>('[style]'))
    if (!/^0(?:px|pt|em)?$/.test(one.style.textIndent)) one.style.removeProperty('text-indent');
  for (const one of read.querySelectorAll('p')) withoutBlanks(one);
  return {
    html: read.body.innerHTML,
    lost: [
      ...(seen > 0 ? [`${seen} 张图片（正文不能放图片，请作为附件上传）`] : []),
      ...(struck > 0 ? [`${struck} 处修订中已删除的文字`] : []),
      ...(said > 0 ? ['批注'] : []),
    ],
  };
}

/** Takes away the blanks a paragraph begins with: it is indented by how it is set. */
function withoutBlanks(paragraph: Element): void {
  for (let first = firstText(paragraph); first; first = firstText(paragraph)) {
    first.data = first.data.replace(/^[\s\u00a0]+/, '');
    if (first.data !== '') return;
    const above = first.parentElement!;
    first.remove();
    if (above !== paragraph && above.childNodes.length === 0) above.remove();
  }
}
function firstText(node: Node): Text | null {
  const walker = node.ownerDocument!.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  return walker.nextNode() as Text | null;
}
