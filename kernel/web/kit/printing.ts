import { useSyncExternalStore } from 'react';

const paper = () => matchMedia('print');

function subscribe(changed: () => void): () => void {
  const media = paper();
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** True while the page is being printed. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => paper().matches);
