// The service worker: caches files that never change, says in Chinese that there is no network, and shows pushed messages.
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
/** The parts of a service worker's types in use; its declarations conflict with those of a page. */
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
declare const self: Worker;
const worker = self;
/** Inserted by the build: the files available without a network. */
declare const OFFLINE_FILES: { url: string; revision: string }[];

precacheAndRoute(OFFLINE_FILES);
// The names of these files change with their contents.
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

/** Shows an open window and sends it to the address without reloading, so that nothing typed in it is lost. */
async function goTo(path: string): Promise<void> {
  const to = new URL(path, worker.location.origin);
  if (to.origin !== worker.location.origin) return;
  const [open] = await worker.clients.matchAll({ type: 'window' });
  if (!open) return void (await worker.clients.openWindow(to.href));
  await open.focus();
  open.postMessage({ goTo: to.pathname + to.search });
}
