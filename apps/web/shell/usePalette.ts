import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import type { Found } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';

interface Answers {
  /** The words that the answers belong to. */
  words: string;
  /** In the order of the finders, whichever answers first. */
  found: Readonly<Record<number, readonly Found[]>>;
  left: number;
  failed: number;
}
const unasked: Answers = { words: '', found: {}, left: 0, failed: 0 };
/** Milliseconds after the last key before the finders are asked. */
const pause = 200;

/** The results of all finders for some words, as they arrive. */
export function useFound(text: string): Omit<Answers, 'words' | 'found'> & { found: Found[] } {
  const words = text.trim();
  const codesAt = useCodesAt();
  const { pathname: at } = useLocation();
  const [answers, setAnswers] = useState(unasked);
  useEffect(() => {
    if (!words) return;
    const { finders, starts, personActs } = registry;
    setAnswers({ words, found: {}, left: finders.length, failed: 0 });
    const controller = new AbortController();
    const { signal } = controller;
    const add = (change: (before: Answers) => Partial<Answers>) =>
      setAnswers((before) =>
        signal.aborted || before.words !== words ? before : { ...before, ...change(before), left: before.left - 1 },
      );
    const timer = setTimeout(() => {
      const seeking = { codesAt, now: new Date(), at, starts, personActs };
      for (const [index, load] of finders.entries())
        void load()
          .then((finder) => finder.default(words, signal, seeking))
          .then(
            (some) => add(({ found }) => ({ found: { ...found, [index]: some } })),
            () => add(({ failed }) => ({ failed: failed + 1 })),
          );
    }, pause);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words, codesAt, at]);
  const known = answers.words === words ? answers : { ...unasked, left: words ? 1 : 0 };
  return { left: known.left, failed: known.failed, found: Object.values(known.found).flat() };
}
