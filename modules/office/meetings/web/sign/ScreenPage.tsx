import { Skeleton } from 'antd';
import { useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { periodText } from '../../contract/refusals.ts';
import { signing } from '../../contract/signing.ts';
import '../meetings.css';

const often = 3000;

/** 签到屏: the code on the whole screen, renewed without any action. */
export default function ScreenPage() {
  const id = Number(useParams()['id']);
  const { data, error, refetch } = useCall(
    signing.code,
    { params: { id } },
    { refetchInterval: often, refetchIntervalInBackground: true, quiet: true },
  );
  const shown = data?.value;
  return (
    <section className="meet-screen" aria-label="签到屏">
      {error && !shown ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : !shown ? (
        <Skeleton active />
      ) : (
        <>
          <header>
            <h1>{shown.title}</h1>
            <p>{periodText(shown.start_time, shown.end_time)}</p>
          </header>
          <main>
            {shown.image ? (
              <img src={shown.image} alt="签到二维码" />
            ) : (
              <p className="meet-closed">{shown.open ? '由会务人员代为签到' : '现在不在签到时间'}</p>
            )}
            <div>
              {shown.short && (
                <p className="meet-code" aria-label="签到码">
                  {shown.short}
                </p>
              )}
              <p role="status">
                已签到 <b>{shown.signed}</b> / {shown.asked}
                {shown.late > 0 && `，迟到 ${shown.late}`}
              </p>
              <ol aria-label="最近签到">
                {shown.last.map((one) => (
                  <li key={one.alias + one.at}>
                    {one.alias} <span>{one.at.slice(11, 16)}</span>
                  </li>
                ))}
              </ol>
            </div>
          </main>
          <footer>
            {error ? '网络中断，正在重新连接' : '用手机扫码，或在“我的会议”中输入数字签到'}
            {shown.left !== null && !error && <progress max={30} value={shown.left} aria-label="签到码更新倒计时" />}
          </footer>
        </>
      )}
    </section>
  );
}
