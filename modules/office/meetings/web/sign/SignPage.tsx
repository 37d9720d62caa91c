import { Button, Input, Result, Skeleton } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useSend } from '#kernel/web/calls.ts';
import { signState } from '../../contract/codes.ts';
import { signing } from '../../contract/signing.ts';
import { deviceOf, ticketOf } from './scan.ts';
import '../meetings.css';

/** The page after scanning a meeting's code: signed in, or the reason why not with what to do. */
export default function SignPage() {
  const id = Number(useParams()['id']);
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const sign = useSend(signing.sign, { quiet: true });
  const ticket = ticketOf(id);
  const begun = useRef(false);
  useEffect(() => {
    if (!ticket || begun.current) return;
    begun.current = true;
    sign.mutate({ params: { id }, body: { ticket, device: deviceOf() } });
  });
  const back = (
    <Button block onClick={() => void navigate(`/meet/detail/${id}`)}>
      查看会议
    </Button>
  );
  if (sign.isSuccess)
    return (
      <Result
        status="success"
        title={sign.data.sign_state === signState.late ? '已签到，记为迟到' : '已签到'}
        subTitle={sign.data.sign_time?.slice(0, 16)}
        extra={back}
      />
    );
  if (sign.isPending) return <Skeleton active className="kit-panel" />;
  return (
    <Result
      status={sign.error ? 'warning' : 'info'}
      title={sign.error ? '没有签到' : '会议签到'}
      subTitle={sign.error?.message ?? '请输入签到屏上的 6 位数字'}
      extra={
        <form
          className="kit-stack meet-sign"
          onSubmit={(event) => {
            event.preventDefault();
            sign.mutate({ params: { id }, body: { code, device: deviceOf() } });
          }}
        >
          <Input
            aria-label="签到码"
            inputMode="numeric"
            autoComplete="one-time-code"
            size="large"
            maxLength={6}
            value={code}
            onChange={({ target }) => setCode(target.value.replace(/\D/g, ''))}
          />
          <Button type="primary" size="large" block htmlType="submit" disabled={code.length < 6}>
            签到
          </Button>
          {back}
        </form>
      }
    />
  );
}
