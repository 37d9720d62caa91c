import { BellOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import { messages } from '../contract.ts';

/** How many messages are unread, and the way to them. */
export function Bell() {
  const navigate = useNavigate();
  const { data } = useCall(messages.unreadCount, {}, { quiet: true, meta: live });
  const count = data?.count ?? 0;
  return (
    <Button
      type="text"
      aria-label={count > 0 ? `消息，${count} 条未读` : '消息'}
      icon={
        <span className="counted">
          <BellOutlined />
          <Count count={count} />
        </span>
      }
      onClick={() => void navigate('/msg?readState=1')}
    />
  );
}
