/** What nobody sees leaves nothing on paper. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
/** Spaces of whatever width are one to a font that has not all of them. */
const blank = /\p{Zs}/u;
/** What the product's own font has for certain, so that nothing is opened to know it. */
const usual =
  /^[\u0020-\u007e\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2103\u2460-\u2473\u3000-\u3015\u4e00-\u9fff\uff01-\uff5e]$/u;

export const isBlank = (character: string): boolean => blank.test(character);
export const seenOf = (text: string): string[] => [...text].filter((character) => !unseen.test(character));

/** Characters that want a look whether a face has them, each once. */
export const uncommonIn = (texts: Iterable<string>): string[] => {
  const found = new Set<string>();
  for (const text of texts) for (const character of text) if (!usual.test(character)) found.add(character);
  return [...found].filter((character) => !unseen.test(character) && !blank.test(character));
};
