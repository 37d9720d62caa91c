import { useState } from 'react';

/** Fields that keep the form from being sent: their files are still being uploaded, or their number could not be read. */
export function useWaiting(): { waiting: boolean; onWait: (key: string, waits: boolean) => void } {
  const [keys, setKeys] = useState<readonly string[]>([]);
  return {
    waiting: keys.length > 0,
    onWait: (key, waits) => setKeys((before) => [...before.filter((one) => one !== key), ...(waits ? [key] : [])]),
  };
}
