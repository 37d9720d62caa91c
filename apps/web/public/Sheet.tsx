import type { ReactNode } from 'react';
import icon from '../icon.svg?no-inline';
import { shownVersion } from '../version.ts';
import type { Site } from './useSite.ts';

/** The frame of every public page: the site's logo, one panel, the small print. */
export function Sheet({ site, title, children }: { site: Site; title: string; children: ReactNode }) {
  return (
    <div className="sheet">
      <header>
        <a href="/index" className="brand">
          <img src={site.logo ?? icon} alt="" width="36" height="36" />
          <span>{site.name}</span>
        </a>
      </header>
      <main className="panel">
        <h1>{title}</h1>
        {children}
      </main>
      <footer>
        {site.copyright} {site.icp} {shownVersion}
      </footer>
    </div>
  );
}
