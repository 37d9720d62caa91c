import { charactersIn } from '#kernel/contract/words/cut.ts';

/** Of an input that takes so many characters, as the server counts them: the browser's own limit takes 𠮷 for two. */
export const counted = (max: number | undefined) =>
  max === undefined
    ? {}
    : {
        count: {
          max,
          strategy: charactersIn,
          exceedFormatter: (text: string) => [...text].slice(0, max).join(''),
        },
      };
