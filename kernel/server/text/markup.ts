const written: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const read: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(written).map(([mark, name]) => [name, mark]),
);

/** Text as it stands in HTML, XML or SVG, within quotes too. */
export function asMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => written[mark]!);
}

/** What `asMarkup` wrote, as it was; other references stay as they are. */
export function fromMarkup(markup: string): string {
  return markup.replace(/&(?:amp|lt|gt|quot|#39);/g, (name) => read[name]!);
}
