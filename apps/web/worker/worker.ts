// The program between the office and the network: keeps what never changes, says in Chinese that there is no network, and shows what is pushed.
import { ExpirationPlugin } from 'workbox-expiration';
import { matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkOnly } from 'workbox-strategies';

interface Window {
  url: string;
  focus(): Promise<Window>;
  postMessage(message: unknown): void;
}
interface Happening extends Event {
  waitUntil(work: Promise<unknown>): void;
}
/** What of a service worker's own world is used here; its declarations do not go together with a page's. */
interface Worker {
  addEventListener(type: string, heard: (event: never) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(of: { type: 'window' }): Promise<Window[]>;
    openWindow(url: string): Promise<Window | null>;
  };
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
  location: Location;
}
const worker = globalThis as unknown as Worker;
/** Put in by the build: what is there without a network. */
declare const OFFLINE_FILES: { url: string; revision: string }[];

precacheAndRoute(OFFLINE_FILES);
// Their names change with what is in them.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({
    cacheName: 'assets',
    plugins: [new ExpirationPlugin({ maxEntries: 300, purgeOnQuotaError: true })],
  }),
);
const online = new NetworkOnly();
registerRoute(
  new NavigationRoute(
    (asked) => online.handle(asked).catch(async () => (await matchPrecache('/offline.html')) ?? Response.error()),
    { denylist: [/^\/api\//] },
  ),
);

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('activate', (event: Happening) => event.waitUntil(worker.clients.claim()));

interface Pushed {
  title: string;
  path: string;
  tag: string;
}
worker.addEventListener('push', (event: Happening & { data: { json(): Pushed } | null }) => {
  if (!event.data) return;
  const { title, path, tag } = event.data.json();
  event.waitUntil(
    worker.registration.showNotification(title, { tag, icon: '/icon-192.png', lang: 'zh-CN', data: path }),
  );
});
worker.addEventListener('notificationclick', (event: Happening & { notification: Notification }) => {
  event.notification.close();
  event.waitUntil(goTo(String(event.notification.data)));
});

/** A window that is open is shown and told where to go, so that nothing typed in it is lost. */
async function goTo(path: string): Promise<void> {
  const to = new URL(path, worker.location.origin);
  if (to.origin !== worker.location.origin) return;
  const [open] = await worker.clients.matchAll({ type: 'window' });
  if (!open) return void (await worker.clients.openWindow(to.href));
  await open.focus();
  open.postMessage({ goTo: to.pathname + to.search });
}
