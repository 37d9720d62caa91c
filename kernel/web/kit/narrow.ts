import { useSyncExternalStore } from 'react';

/** Below this width, in CSS pixels, the layout is that of a phone. */
export const narrowBelow = 992;

function subscribe(changed: () => void): () => void {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
}

/** True if the window is narrower than 992 px. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.innerWidth < narrowBelow);
}
