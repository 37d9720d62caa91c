import { Button } from 'antd';
import { Link } from 'react-router';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { MenuIcon } from '#kernel/web/kit/icons.tsx';
import { findInMenu } from '../shell/findInMenu.ts';
import { entryFor } from '../shell/menu.ts';
import { useSession } from '../shell/SessionContext.ts';

const none: string[] = [];

/** Pages I starred, then the others I may open. */
export function QuickStarts() {
  const { menu } = useSession();
  const [favourites, save] = usePreference<string[]>('favourites', none);
  const starred = (path: string) => favourites.includes(path);
  const pages = findInMenu(menu, '').filter((page) => page.to !== '/index');
  const shown = [...pages.filter((page) => starred(page.to)), ...pages.filter((page) => !starred(page.to))].slice(
    0,
    12,
  );
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
