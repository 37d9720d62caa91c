import { fileKinds } from '#kernel/contract/upload.ts';

/** The kinds of files that an opinion may have, as the browser offers them. */
export const opinionKinds = ['jpeg', ...fileKinds].map((kind) => `.${kind}`).join(',');
