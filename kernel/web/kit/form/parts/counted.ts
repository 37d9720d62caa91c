import { charactersIn } from '#kernel/contract/words/cut.ts';

/** Props of an input with at most `max` characters, counted like the server: the browser's own limit counts 𠮷 as two. */
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
