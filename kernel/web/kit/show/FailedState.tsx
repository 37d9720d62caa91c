import { Button } from 'antd';
import { Link } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { CallFailed, quoting } from '../../failure.ts';
import { CopyText } from './CopyText.tsx';
import '../kit.css';

/** Shows a failure, offers another try, and shows the identifier for support: the call's, or `number` if the page itself failed. */
export function FailedState({ error, retry, number }: { error: unknown; retry?: () => void; number?: string }) {
  const failed = error instanceof CallFailed ? error : null;
  const quoted = failed?.trace || number;
  return (
    <div className="kit-state" role="alert">
      <p>{failed?.msg.split(quoting)[0] ?? '页面出了问题，请重试'}</p>
      {retry && <Button onClick={retry}>重试</Button>}
      {(failed?.code === codes.absent || failed?.code === codes.forbidden) && <Link to="/index">返回首页</Link>}
      {quoted && (
        <p className="kit-muted">
          问题编号：
          <CopyText text={quoted} />
        </p>
      )}
    </div>
  );
}
