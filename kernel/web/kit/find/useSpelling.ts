import { useEffect, useState } from 'react';

/** True if these letters may spell a Chinese name. */
export type Spelling = (name: string, letters: string) => boolean;

/**
 * Returns a function that matches names against typed letters; undefined if the text contains no letters. The dictionary is large and is loaded only
 * when letters are typed.
 */
export function useSpelling(text: string): Spelling | undefined {
  const [spelt, setSpelt] = useState<Spelling>();
  const letters = /^[a-z ]{2,}$/i.test(text.trim());
  useEffect(() => {
    if (!letters || spelt) return;
    void import('./spelling.ts').then((module) => setSpelt(() => module.spelt)).catch(() => undefined);
  }, [letters, spelt]);
  return letters ? spelt : undefined;
}

/** Returns a function that is true if an item matches the typed words: they occur in its description or spell its name. Everything matches no words. */
export function useFinds(text: string): (name: string, said: string) => boolean {
  const spelt = useSpelling(text);
  const wanted = text.trim().toLowerCase();
  return (name, said) =>
    !wanted || `${name} ${said}`.toLowerCase().includes(wanted) || (spelt?.(name, wanted) ?? false);
}
