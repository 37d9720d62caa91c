import { Skeleton } from 'antd';
import { Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { later } from '#kernel/web/later.tsx';
import { leaveSession } from './session.ts';

const PasswordForm = later(() => import('#modules/platform/accounts/web/PasswordForm.tsx'));

/** Replaces every page until a password set by somebody else has been changed. */
export function MustChangePassword({ alias, onDone }: { alias: string; onDone: () => void }) {
  return (
    <BrowserRouter>
      <main className="gate">
        <div className="kit-panel">
          <h1>请先修改密码</h1>
          <p>{alias && `${alias}，`}当前密码由管理员设置，修改后即可开始使用</p>
          <Suspense fallback={<Skeleton active />}>
            <PasswordForm onDone={onDone} />
          </Suspense>
          <button type="button" className="kit-link" onClick={() => void leaveSession()}>
            退出登录
          </button>
        </div>
      </main>
    </BrowserRouter>
  );
}
