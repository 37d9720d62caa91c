import { useEffect, useState } from 'react';

/** Tells whether a Chinese name may be typed by these letters. */
export type Spelling = (name: string, letters: string) => boolean;

/** Whether names are spelt by what was typed; nothing where that is no letters. The dictionary is large: fetched by whoever types some. */
export function useSpelling(text: string): Spelling | undefined {
  const [spelt, setSpelt] = useState<Spelling>();
  const letters = /^[a-z ]{2,}$/i.test(text.trim());
  useEffect(() => {
    if (!letters || spelt) return;
    void import('./spelling.ts').then((module) => setSpelt(() => module.spelt)).catch(() => undefined);
  }, [letters, spelt]);
  return letters ? spelt : undefined;
}

/** Whether something is found by words: they stand in what is said of it, or spell its name; everything is by none. */
export function useFinds(text: string): (name: string, said: string) => boolean {
  const spelt = useSpelling(text);
  const wanted = text.trim().toLowerCase();
  return (name, said) =>
    !wanted || `${name} ${said}`.toLowerCase().includes(wanted) || (spelt?.(name, wanted) ?? false);
}
