import { createRoot } from 'react-dom/client';
import { keepCompositionKeys } from '#kernel/web/kit/composing.ts';
import { token } from '#kernel/web/token.ts';
import { entryAt } from './entry.ts';
import { setTextSize, shellSettings } from './stored.ts';
import './base.css';

// The sign-in page must be light: the office with its component library is only loaded by signed-in people.
const root = createRoot(document.getElementById('root') as HTMLElement);
document.documentElement.dataset['dark'] = shellSettings.get().dark;
setTextSize(shellSettings.get().text);
keepCompositionKeys(window);

async function show(): Promise<void> {
  // A scanned code expires before a person has signed in.
  if (location.pathname.startsWith('/meet/sign/'))
    await (await import('#modules/office/meetings/web/sign/scan.ts')).scanned(location);
  const entry = entryAt(location.pathname, location.search, token() !== '');
  if (entry.kind === 'redirect') {
    history.replaceState(null, '', entry.to);
    return show();
  }
  if (entry.kind === 'public') {
    const { PublicPages } = await import('./public/PublicPages.tsx');
    return root.render(<PublicPages path={location.pathname} />);
  }
  const { Office } = await import('./shell/Office.tsx');
  root.render(<Office />);
}

void show();
