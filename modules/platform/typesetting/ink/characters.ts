/** Invisible characters leave nothing on paper. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
/** Spaces of any width are replaced by one that every font has. */
const blank = /\p{Zs}/u;
/** Characters that the built-in font certainly has, so that no font need be opened. */
const usual =
  /^[\u0020-\u007e\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2103\u2460-\u2473\u3000-\u3015\u4e00-\u9fff\uff01-\uff5e]$/u;

export const isBlank = (character: string): boolean => blank.test(character);
export const seenOf = (text: string): string[] => [...text].filter((character) => !unseen.test(character));

/** Characters that must be looked up in the faces, each once. */
export const uncommonIn = (texts: Iterable<string>): string[] => {
  const found = new Set<string>();
  for (const text of texts) for (const character of text) if (!usual.test(character)) found.add(character);
  return [...found].filter((character) => !unseen.test(character) && !blank.test(character));
};
