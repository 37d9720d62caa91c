import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * The calendar's library makes its entries clickable articles: screen readers announce them as the buttons they are, and the element is the library's
 * choice (decision 0265).
 */
const known = (rule: string, html: string) =>
  rule === 'aria-allowed-role' && html.startsWith('<article class="ec-event');

/** Accessibility violations of any severity on a page, or in the parts that a selector names: the rule with the elements that violate it. */
export async function barriersOf(page: Page, part?: string): Promise<string[]> {
  // There are no frames, so the results need no separate page to be merged.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !known(id, html))
      .slice(0, 3)
      .map(({ html }) => `${id}: ${html.replace(/<svg[\s\S]*?<\/svg>/g, '').slice(0, 200)}`),
  );
}
