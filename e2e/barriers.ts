import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The calendar's library makes its entries articles that are pressed: readers take them for the buttons they are, and their element is the library's own. */
const known = (rule: string, html: string) =>
  rule === 'aria-allowed-role' && html.startsWith('<article class="ec-event');

/** What of a page, or of the parts that a selector names, bars anybody, of whatever weight: the rule with the elements that break it. */
export async function barriersOf(page: Page, part?: string): Promise<string[]> {
  // There are no frames, so the findings need no page of their own to be put together.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !known(id, html))
      .slice(0, 3)
      .map(({ html }) => `${id}: ${html.replace(/<svg[\s\S]*?<\/svg>/g, '').slice(0, 200)}`),
  );
}
