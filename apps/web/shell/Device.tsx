import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { keepPush } from '#modules/platform/messages/widgets.tsx';
import { useSession } from './SessionContext.ts';

/** Lets this device cache the office for the next time, and opens pushed messages. */
export default function Device() {
  const navigate = useNavigate();
  const { username } = useSession().me;
  useEffect(() => {
    // Absent if the address is not secure.
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (!import.meta.env.PROD || !workers) return;
    void workers
      .register('/worker.js', { updateViaCache: 'none' })
      .then(() => keepPush(username))
      .catch(() => undefined);
    const heard = ({ data }: MessageEvent<{ goTo?: string }>) => {
      if (data.goTo?.startsWith('/')) void navigate(data.goTo);
    };
    workers.addEventListener('message', heard);
    return () => workers.removeEventListener('message', heard);
  }, [navigate, username]);
  return null;
}
