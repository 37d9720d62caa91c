import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from '../shell/Providers.tsx';
import { shellSettings } from '../stored.ts';
import { Showcase } from './Showcase.tsx';
import '../base.css';

// Parts of the kit that no page of the product uses yet. Served during development at /showcase.html; not part of the build.
document.documentElement.dataset['dark'] = shellSettings.get().dark;
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Providers>
      <Showcase />
    </Providers>
  </StrictMode>,
);
