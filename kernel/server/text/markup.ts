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

/** Escapes text for HTML, XML or SVG, also within quotes. */
export function asMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => written[mark]!);
}

/** Reverses `asMarkup`; other references stay as they are. */
export function fromMarkup(markup: string): string {
  return markup.replace(/&(?:amp|lt|gt|quot|#39);/g, (name) => read[name]!);
}
