import { Skeleton } from 'antd';
import { Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { later } from '#kernel/web/later.tsx';
import { leaveSession } from './session.ts';

const SecondStep = later(() => import('#modules/platform/accounts/web/SecondStep.tsx'));

/** Replaces every page until a person, however signed in, has passed the second step. */
export default function SecondStepFirst({ onDone }: { onDone: () => void }) {
  return (
    <BrowserRouter>
      <main className="gate">
        <div className="kit-panel">
          <h1>二次验证</h1>
          <Suspense fallback={<Skeleton active />}>
            <SecondStep onDone={onDone} />
          </Suspense>
          <button type="button" className="kit-link" onClick={() => void leaveSession()}>
            退出登录
          </button>
        </div>
      </main>
    </BrowserRouter>
  );
}
