import { raisedText } from '#kernel/contract/words/raised.ts';

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
/** Text that was struck out by its author: without the line it would be read as if it stood. */
const struckOut = 's, strike, [style*="line-through"]';
const raised = {
  sup: 'sup, [style*="vertical-align:super"], [style*="vertical-align: super"]',
  sub: 'sub, [style*="vertical-align:sub"], [style*="vertical-align: sub"]',
};
/** Levels of headings that the editor lacks, and the nearest ones that it has. */
const nearest = { h1: 'h2', h6: 'h5' } as const;
/** The attributes from which the editor reads the placement of a heading. Others may have names that no program can set. */
const placing = ['style', 'align'];
/** Elements that keep their place if their content is left out or rewritten: a row without one of its cells would move the others. */
const cells = 'td, th';
const blocks = `${cells}, p, li, div, h1, h2, h3, h4, h5, h6`;
const unreadable = 'style, script, xml, head, title, meta, link, noscript, template';
const pictures = 'img, picture, svg, canvas, video, object, embed, iframe';

/**
 * Removes what other programs add: their own elements, hidden and deleted text, comments, and blanks for indentation. Cells stay a table, headings
 * keep the nearest level, and visible content or meaning that is left out is reported.
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
    for (const one of outer)
      if (one.matches(cells)) one.replaceChildren();
      else one.remove();
    return outer.length;
  };
  take(unreadable);
  const [gone, said, seen, struck] = [take(deleted), take(comments), take(pictures), take(struckOut)];
  const lowered = written(read, raised.sup, 'sup') + written(read, raised.sub, 'sub');
  for (const [from, to] of Object.entries(nearest))
    for (const one of read.querySelectorAll(from)) {
      const heading = read.createElement(to);
      for (const name of placing) if (one.hasAttribute(name)) heading.setAttribute(name, one.getAttribute(name)!);
      heading.append(...one.childNodes);
      one.replaceWith(heading);
    }
  for (const one of read.querySelectorAll<HTMLElement>('[style]'))
    if (!/^0(?:px|pt|em)?$/.test(one.style.textIndent)) one.style.removeProperty('text-indent');
  for (const one of read.querySelectorAll('p')) withoutBlanks(one);
  return {
    html: read.body.innerHTML,
    lost: [
      ...(seen > 0 ? [`${seen} 张图片（正文不能放图片，请作为附件上传）`] : []),
      ...(gone > 0 ? [`${gone} 处修订中已删除的文字`] : []),
      ...(struck > 0 ? [`${struck} 处带删除线的文字`] : []),
      ...(lowered > 0 ? [`${lowered} 处上标或下标的格式（文字已作为普通文字粘贴，请核对）`] : []),
      ...(said > 0 ? ['批注'] : []),
    ],
  };
}

/** Writes raised or lowered text with the characters that mean the same; returns how often there are none, so that it becomes ordinary text. */
function written(read: Document, which: string, kind: 'sup' | 'sub'): number {
  let plain = 0;
  for (const one of read.querySelectorAll(which)) {
    const text = one.textContent.trim();
    const same = raisedText(text, kind);
    if (same === null) plain += 1;
    else if (one.matches(blocks)) one.replaceChildren(same);
    else one.replaceWith(same);
  }
  return plain;
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
