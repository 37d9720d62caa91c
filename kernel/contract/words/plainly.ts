const unseen = /[\uFE00-\uFE0F\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
/** A name as names are compared: half-width, small, without blanks and what nobody sees; `plainSql` says the same to the database. */
export const plainly = (text: string) => text.normalize('NFKC').replace(unseen, '').toLowerCase();
/** A code as it was made, however it was typed or pasted: full-width, in groups, with lines or blanks between. */
export const plainCode = (typed: string) => plainly(typed).replace(/\p{Pd}/gu, '');
