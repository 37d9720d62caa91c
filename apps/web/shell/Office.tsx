import { Spin } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { unstable_HistoryRouter as HistoryRouter } from 'react-router';
import type { EntryStep } from '#kernel/contract/call.ts';
import { SpecialDaysContext } from '#kernel/web/kit/calendar/special-days.ts';
import { DraftsContext } from '#kernel/web/kit/form/draft.ts';
import { PreferencesContext, SharedViewsContext } from '#kernel/web/kit/preferences.tsx';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import { later } from '#kernel/web/later.tsx';
import { RecordBesideContext, type BesideProps } from '#kernel/web/kit/list/rows/beside.ts';
import { MatterButtonsContext, MoversContext, PageNamesContext, StartsContext } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';
import { userData } from '../stored.ts';
import { officeHistory } from './addresses.ts';
import { backCloses } from './back.ts';
import { keptDrafts } from './drafts.ts';
import { Frame } from './Frame.tsx';
import { matterButtons } from './matter-buttons.ts';
import { codesAt } from './menu.ts';
import { movers } from './movers.tsx';
import { MustChangePassword } from './MustChangePassword.tsx';
import { Providers } from './Providers.tsx';
import { RecordBeside } from './RecordBeside.tsx';
import { abandonSession, openSession, stepAskedFor } from './session.ts';
import type { Session } from './session.ts';
import { SessionContext } from './SessionContext.ts';
import { specialDays } from './special-days.ts';
import './shell.css';

backCloses();
const SecondStepFirst = later(() => import('./SecondStepFirst.tsx'));
const showRecord = (asked: BesideProps) => <RecordBeside {...asked} />;
const pageNames = Object.keys(registry.pages).toSorted();

/** The application for a signed-in person: sets up the routes from the server's menu, then shows the frame. */
export function Office() {
  return (
    <Providers>
      <Opened />
    </Providers>
  );
}

function Opened() {
  const [session, setSession] = useState<Session | null>(null);
  const [step, setStep] = useState<EntryStep | null>(null);
  useEffect(() => {
    openSession().then(setSession, (error) => {
      const asked = stepAskedFor(error);
      return asked ? setStep(asked) : abandonSession(error);
    });
  }, []);
  if (step === 'password' || session?.me.must_change_pwd)
    return <MustChangePassword alias={session?.me.alias ?? userData.get().alias} onDone={() => location.reload()} />;
  if (step)
    return (
      <Suspense fallback={<Spin fullscreen description="正在载入" />}>
        <SecondStepFirst onDone={() => location.reload()} />
      </Suspense>
    );
  if (!session) return <Spin fullscreen description="正在载入" />;
  return (
    <SessionContext value={session}>
      <PreferencesContext value={session.preferences}>
        <SharedViewsContext value={session.views}>
          {/* A person who views with another's rights stores no drafts. */}
          <DraftsContext value={session.me.seeing ? null : keptDrafts}>
            <PermissionContext value={(path) => codesAt(session.menu, path)}>
              <PageNamesContext value={pageNames}>
                <MatterButtonsContext value={matterButtons}>
                  <StartsContext value={registry.starts}>
                    <MoversContext value={movers}>
                      <SpecialDaysContext value={specialDays}>
                        <RecordBesideContext value={showRecord}>
                          <HistoryRouter history={officeHistory}>
                            <Frame />
                          </HistoryRouter>
                        </RecordBesideContext>
                      </SpecialDaysContext>
                    </MoversContext>
                  </StartsContext>
                </MatterButtonsContext>
              </PageNamesContext>
            </PermissionContext>
          </DraftsContext>
        </SharedViewsContext>
      </PreferencesContext>
    </SessionContext>
  );
}
