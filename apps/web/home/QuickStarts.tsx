import { Button } from 'antd';
import { Link } from 'react-router';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { MenuIcon } from '#kernel/web/kit/show/icons.tsx';
import { findInMenu } from '../shell/findInMenu.ts';
import { entryFor } from '../shell/menu.ts';
import { useSession } from '../shell/SessionContext.ts';
import { visits } from '../stored.ts';

const none: string[] = [];

/** Pages I starred, then those I open most, then the others I may open. */
export function QuickStarts() {
  const { menu } = useSession();
  const [favourites, save] = usePreference<string[]>('favourites', none);
  const starred = (path: string) => favourites.includes(path);
  const used = visits.use();
  const rank = (path: string) => (starred(path) ? Infinity : (used[path] ?? 0));
  const pages = findInMenu(menu, '')
    .filter((page) => page.to !== '/index')
    .sort((a, b) => (rank(a.to) === rank(b.to) ? 0 : rank(b.to) - rank(a.to)))
    .slice(0, 12);
  const isOne = (title: string) => pages.filter((page) => page.title === title).length === 1;
  const shown = pages.map((page) => ({
    ...page,
    title: isOne(page.title) || !page.hint ? page.title : `${page.hint} · ${page.title}`,
  }));
  return (
    <ul className="quick">
      {shown.map((page) => (
        <li key={page.to}>
          <Link to={page.to}>
            <MenuIcon name={entryFor(menu, page.to)?.icon ?? ''} /> {page.title}
          </Link>
          <Button
            type="text"
            size="small"
            aria-pressed={starred(page.to)}
            aria-label={`${starred(page.to) ? '取消收藏' : '收藏'} ${page.title}`}
            onClick={() =>
              save(starred(page.to) ? favourites.filter((path) => path !== page.to) : [...favourites, page.to])
            }
          >
            {starred(page.to) ? '★' : '☆'}
          </Button>
        </li>
      ))}
    </ul>
  );
}
