import type { Announcer } from '#kernel/web/announce.ts';

function toast(text: string, seconds: number): void {
  const box = document.createElement('div');
  box.className = 'toast';
  box.setAttribute('role', 'alert');
  box.textContent = text;
  document.body.append(box);
  setTimeout(() => box.remove(), seconds * 1000);
}

/** Shows failures on the public pages without the component library. Nobody is signed in there, so nothing expires. */
export const plainAnnouncer: Announcer = {
  message: toast,
  notification: (title) => toast(title, 5),
  confirm: async () => false,
  leave: async () => {},
};
