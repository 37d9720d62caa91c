import { send } from '#kernel/web/client.ts';
import { messages } from '../contract.ts';

const key = 'pushedTo';

/** True if this browser supports push; its APIs are missing on an insecure address. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const registered = () => navigator.serviceWorker.ready;

/** The person whose messages are pushed here. */
export const pushedTo = (): string | null => localStorage.getItem(key);

/** Subscribes in the browser and registers it on the server. Throws if the person or the browser refuses. */
export async function startPush(username: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('浏览器未允许通知，请在浏览器的网站设置中允许后再试');
  await subscribe();
  localStorage.setItem(key, username);
}

async function subscribe(): Promise<void> {
  const worker = await registered();
  const { key: office } = await send(messages.push, {}, { quiet: true });
  const known = await worker.pushManager.getSubscription();
  const mine = known && encoded(known.options.applicationServerKey) === office ? known : null;
  if (known && !mine) await known.unsubscribe();
  const device = mine ?? (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: office }));
  const { endpoint, keys } = device.toJSON();
  const body = { endpoint: endpoint ?? '', p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' };
  await send(messages.subscribe, { body }, { quiet: true });
}

const encoded = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Stops push here, whatever the server has stored. */
export async function stopPush(): Promise<void> {
  localStorage.removeItem(key);
  const device = await (await registered()).pushManager.getSubscription();
  if (!device) return;
  await send(messages.unsubscribe, { body: { endpoint: device.endpoint } }, { quiet: true }).catch(() => undefined);
  await device.unsubscribe();
}

/** At each start: continues for the person who wanted it; ends for a previous person on this device. */
export async function keepPush(username: string): Promise<void> {
  if (!canPush()) return;
  const whose = pushedTo();
  if (whose === username && Notification.permission === 'granted') await subscribe();
  else if (whose !== null) await stopPush();
}
