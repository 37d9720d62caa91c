import { useState } from 'react';

/** Fields whose files are still being uploaded: the form is not sent until they are. */
export function useWaiting(): { waiting: boolean; onWait: (key: string, waits: boolean) => void } {
  const [keys, setKeys] = useState<readonly string[]>([]);
  return {
    waiting: keys.length > 0,
    onWait: (key, waits) => setKeys((before) => [...before.filter((one) => one !== key), ...(waits ? [key] : [])]),
  };
}
