import { Spin } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router';
import { SpecialDaysContext } from '#kernel/web/kit/calendar/special-days.ts';
import { DraftsContext } from '#kernel/web/kit/form/draft.ts';
import { PreferencesContext, SharedViewsContext } from '#kernel/web/kit/preferences.tsx';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import { later } from '#kernel/web/later.tsx';
import { PageNamesContext } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';
import { backCloses } from './back.ts';
import { keptDrafts } from './drafts.ts';
import { Frame } from './Frame.tsx';
import { codesAt } from './menu.ts';
import { MustChangePassword } from './MustChangePassword.tsx';
import { Providers } from './Providers.tsx';
import { abandonSession, openSession, secondStepIsOwed } from './session.ts';
import type { Session } from './session.ts';
import { SessionContext } from './SessionContext.ts';
import { specialDays } from './special-days.ts';
import './shell.css';

backCloses();
const SecondStepFirst = later(() => import('./SecondStepFirst.tsx'));
const pageNames = Object.keys(registry.pages).toSorted();

/** The application of whoever is signed in: sets up the routes from the server's menu, then shows the frame. */
export function Office() {
  return (
    <Providers>
      <Opened />
    </Providers>
  );
}

function Opened() {
  const [session, setSession] = useState<Session | null>(null);
  const [owes, setOwes] = useState(false);
  useEffect(() => {
    openSession().then(setSession, (error) => (secondStepIsOwed(error) ? setOwes(true) : abandonSession(error)));
  }, []);
  if (owes)
    return (
      <Suspense fallback={<Spin fullscreen description="正在载入" />}>
        <SecondStepFirst onDone={() => location.reload()} />
      </Suspense>
    );
  if (!session) return <Spin fullscreen description="正在载入" />;
  if (session.me.must_change_pwd) return <MustChangePassword session={session} onDone={() => location.reload()} />;
  return (
    <SessionContext value={session}>
      <PreferencesContext value={session.preferences}>
        <SharedViewsContext value={session.views}>
          {/* Whoever sees by another's rights writes nothing. */}
          <DraftsContext value={session.me.seeing ? null : keptDrafts}>
            <PermissionContext value={(path) => codesAt(session.menu, path)}>
              <PageNamesContext value={pageNames}>
                <SpecialDaysContext value={specialDays}>
                  <BrowserRouter>
                    <Frame />
                  </BrowserRouter>
                </SpecialDaysContext>
              </PageNamesContext>
            </PermissionContext>
          </DraftsContext>
        </SharedViewsContext>
      </PreferencesContext>
    </SessionContext>
  );
}
