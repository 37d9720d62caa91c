/** Pasted content as the editor accepts it, and in words what had to be left out. */
export interface Pasted {
  html: string;
  lost: string[];
}

/** Elements that need their table: a copied block of cells comes without it. */
const ofTable = /^\s*<(?:col|colgroup|tr|td|th|tbody|thead)[\s>]/i;
/** Comments of Word, at their anchors and as texts at the end. */
const comments =
  '.MsoCommentReference, .MsoCommentText, .msocomtxt, .msocomanchor, .msocomoff, [style*="mso-element:comment"], [style*="mso-comment"]';
/** Text that was deleted with change tracking on. */
const deleted = 'del, .msoDel, [style*="mso-hide:all"], [style*="mso-hide: all"]';
const unreadable = 'style, script, xml, head, title, meta, link, noscript, template';
const pictures = 'img, picture, svg, canvas, video, object, embed, iframe';

/**
 * Removes what other programs add: their own elements, hidden and deleted text, comments, and blanks for indentation. Cells stay a table, and visible
 * content that is left out is reported.
 */
export function pasted(given: string): Pasted {
  const cut = /<!--StartFragment-->([\s\S]*?)<!--EndFragment-->/.exec(given)?.[1] ?? given;
  const whole = cut.replace(/<!\[[^\]]*\]>/g, '').replace(/<\/?(?:o|w|v|m|x):[^>]*>/gi, '');
  const bare = whole.replace(/<!--[\s\S]*?-->/g, '');
  // Parsed without its table, a row would lose everything but its words.
  const read = new DOMParser().parseFromString(ofTable.test(bare) ? `<table>${bare}</table>` : bare, 'text/html');
  const take = (what: string) => {
    const found = [...read.querySelectorAll(what)];
    // An element inside another one counts once: a picture in its frame, a deletion marked twice.
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

/** Removes leading blanks of a paragraph, because indentation is set by its style. */
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
