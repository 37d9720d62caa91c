import { App, Button } from 'antd';
import { MenuFoldOutlined, MenuUnfoldOutlined, SearchOutlined, SettingOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { useNavigate } from 'react-router';
import { send } from '#kernel/web/client.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { Bell } from '#modules/platform/messages/widgets.tsx';
import icon from '../icon.svg?no-inline';
import { shellSettings } from '../stored.ts';
import { shownVersion } from '../version.ts';
import type { Place } from './MenuAt.tsx';
import { leaveSession } from './session.ts';
import { useSession } from './SessionContext.ts';

const Palette = later(() => patiently(() => import('./Palette.tsx')));
const MenuAt = later(() => patiently(() => import('./MenuAt.tsx')));
const SettingsDrawer = later(() => patiently(() => import('./SettingsDrawer.tsx')));

interface Props {
  open: boolean;
  canToggle: boolean;
  onToggle: () => void;
}

/** Title, sidebar toggle, command palette, settings and the person. */
export function Navbar({ open, canToggle, onToggle }: Props) {
  const { me, site } = useSession();
  const { sidebarLogo, showSettings } = shellSettings.use();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [menu, setMenu] = useState<Place | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setPalette((before) => !before);
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, []);
  const updateCache = async () => {
    const { msg } = await send(accounts.updateCache, {});
    await queries.invalidateQueries();
    void message.success(msg);
  };
  const choices: Record<string, () => void> = {
    cache: () => void updateCache().catch(() => undefined),
    profile: () => void navigate('/user/profile'),
    exports: () => void navigate('/exports'),
    leave: () => void leaveSession(),
  };
  return (
    <header className="navbar">
      {sidebarLogo && <img src={site.logo ?? icon} alt="" height="32" />}
      <span className="navbar-title">{site.name}</span>
      <small className="navbar-words kit-muted">{shownVersion}</small>
      <Button
        type="text"
        disabled={!canToggle}
        aria-expanded={open}
        aria-label={open ? '收起侧栏' : '展开侧栏'}
        icon={open ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
        onClick={onToggle}
      />
      <span className="kit-grow" />
      <Button
        className="navbar-find"
        icon={<SearchOutlined />}
        onClick={() => setPalette(true)}
        aria-label="查找功能、人员和工单"
      >
        <span className="navbar-words">
          查找 <kbd>Ctrl K</kbd>
        </span>
      </Button>
      <Bell />
      {showSettings && (
        <Button type="text" icon={<SettingOutlined />} aria-label="界面设置" onClick={() => setDrawer(true)} />
      )}
      <Button
        type="text"
        className="navbar-me"
        aria-label={`${me.alias}，用户菜单`}
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        onPointerDown={() => (wasOpen.current = menu !== null)}
        onClick={({ currentTarget: from }) => {
          const { left, bottom } = from.getBoundingClientRect();
          setMenu(wasOpen.current ? null : { left, top: bottom, from });
          wasOpen.current = false;
        }}
      >
        {me.avatar ? (
          <img className="face" src={me.avatar.url} alt="" />
        ) : (
          <span className="face">{me.alias.slice(-1)}</span>
        )}
        <span className="navbar-words">{me.alias}</span>
      </Button>
      <Suspense>
        {menu && (
          <MenuAt
            place={menu}
            items={[
              { key: 'cache', label: '更新缓存' },
              { key: 'profile', label: '个人中心' },
              { key: 'exports', label: '我的导出' },
              { type: 'divider' },
              { key: 'leave', label: '退出登录' },
            ]}
            onPick={(key) => choices[key]?.()}
            onClose={() => setMenu(null)}
          />
        )}
        {palette && <Palette onClose={() => setPalette(false)} />}
        {drawer && <SettingsDrawer onClose={() => setDrawer(false)} />}
      </Suspense>
    </header>
  );
}
