import { BellOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { Count } from '#kernel/web/kit/show/Count.tsx';
import { messages } from '../contract.ts';

const useUnread = () => useCall(messages.unreadCount, {}, { quiet: true, meta: live }).data?.count ?? 0;

/** The number of unread messages. */
export function UnreadCount() {
  const count = useUnread();
  return <Count count={count} label={`${count} 条未读`} />;
}

/** The number of unread messages, with a link to them. */
export function Bell() {
  const navigate = useNavigate();
  const count = useUnread();
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
