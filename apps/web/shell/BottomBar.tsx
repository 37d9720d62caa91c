import { BellOutlined, FormOutlined, HomeOutlined, InboxOutlined, UserOutlined } from '@ant-design/icons';
import { Link, useLocation } from 'react-router';
import { UnreadCount } from '#modules/platform/messages/widgets.tsx';
import { TodoCount } from '#modules/platform/waits/widgets.tsx';

const places = [
  { to: '/index', title: '首页', icon: <HomeOutlined /> },
  { to: '/todo', title: '待办', icon: <InboxOutlined />, count: <TodoCount /> },
  { to: '/ticket/new', title: '发起', icon: <FormOutlined /> },
  { to: '/msg', title: '消息', icon: <BellOutlined />, count: <UnreadCount /> },
  { to: '/user/profile', title: '我的', icon: <UserOutlined /> },
];

/** The pages in a phone's bottom bar, with their counts of waiting items; pages without a route for the person are left out. */
export function BottomBar({ known }: { known: (path: string) => boolean }) {
  const { pathname } = useLocation();
  return (
    <nav className="bottom" aria-label="常用">
      {places
        .filter((place) => known(place.to))
        .map((place) => (
          <Link key={place.to} to={place.to} aria-current={pathname === place.to ? 'page' : undefined}>
            <span className="counted">
              {place.icon}
              {place.count}
            </span>
            <span>{place.title}</span>
          </Link>
        ))}
    </nav>
  );
}
