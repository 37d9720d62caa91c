import type { Page } from '@playwright/test';

/** The cards of a page's lists that show less than seven tenths of their text, with the visible share. */
export const cutCards = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** The visible share of a clipping element's content. */
    const share = (holder: Element) => {
      const cuts = getComputedStyle(holder).overflow !== 'visible' && holder.clientWidth > 0;
      const part = (shown: number, whole: number) => (whole > shown + 1 ? shown / whole : 1);
      return cuts ? part(holder.clientWidth, holder.scrollWidth) * part(holder.clientHeight, holder.scrollHeight) : 1;
    };
    const found: string[] = [];
    for (const card of document.querySelectorAll('.kit-cards > li')) {
      if (!card.checkVisibility()) continue;
      let [whole, read] = [0, 0];
      const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
        const words = node.data.trim().length;
        let seen = 1;
        for (let holder = node.parentElement!; holder !== card; holder = holder.parentElement!) seen *= share(holder);
        whole += words;
        read += words * seen;
      }
      if (whole > 0 && read / whole < 0.7)
        found.push(`a card shows ${Math.round((100 * read) / whole)} % of “${card.textContent!.slice(0, 60)}”`);
    }
    return found.slice(0, 3);
  });
