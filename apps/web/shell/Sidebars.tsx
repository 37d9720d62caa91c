import { useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { MenuBadge } from './MenuBadge.tsx';
import { choose, entryFor, isExternal, shownChildren } from './menu.ts';
import type { Menu, MenuNode } from './menu.ts';
import { MenuIcon } from '#kernel/web/kit/show/icons.tsx';

interface Props {
  menu: Menu;
  /** The first-level entry whose children are shown. */
  root: MenuNode | undefined;
  open: boolean;
  narrow: boolean;
  onLook: (node: MenuNode) => void;
  onClose: () => void;
}

/** The narrow first level and, beside it, the children of the chosen entry under its title. On a phone both form one drawer. */
export function Sidebars({ menu, root, open, narrow, onLook, onClose }: Props) {
  const navigate = useNavigate();
  const first = useRef<HTMLElement>(null);
  // With many entries the current one may lie below the visible part.
  useEffect(() => {
    // It may return a promise, which is not a cleanup function.
    void first.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [root, open]);
  const pick = (node: MenuNode) => {
    const choice = choose(node);
    if (choice.kind === 'leave') window.open(choice.url, '_blank', 'noopener');
    else if (choice.kind === 'go') void navigate(choice.to);
    else onLook(node);
  };
  if (narrow && !open) return null;
  return (
    <>
      {narrow && <div className="veil" onClick={onClose} />}
      <div className={narrow ? 'bars bars-drawer' : 'bars'}>
        <nav ref={first} className="first" aria-label="主导航">
          {menu.roots
            .filter((node) => node.visible)
            .map((node) => (
              <button
                key={node.id}
                type="button"
                className="first-item"
                aria-current={node === root ? 'true' : undefined}
                onClick={() => pick(node)}
              >
                <MenuIcon name={node.icon} />
                <span>{node.name}</span>
                <MenuBadge component={node.component} />
              </button>
            ))}
        </nav>
        {open && root && shownChildren(root).length > 0 && (
          <nav className="second" aria-label={root.name}>
            <h2>{root.name}</h2>
            <Branch menu={menu} nodes={shownChildren(root)} />
          </nav>
        )}
      </div>
    </>
  );
}

function Branch({ menu, nodes }: { menu: Menu; nodes: MenuNode[] }) {
  const { pathname } = useLocation();
  const here = entryFor(menu, pathname);
  return (
    <ul>
      {nodes.map((node) => {
        const children = shownChildren(node);
        const active = node === here || (here?.visible === false && here.parent === node);
        return (
          <li key={node.id}>
            {isExternal(node.path) ? (
              <a href={node.path} target="_blank" rel="noopener noreferrer">
                <MenuIcon name={node.icon} /> {node.name}
              </a>
            ) : children.length > 0 ? (
              <span className="second-group">{node.name}</span>
            ) : (
              <Link to={node.path.replace('/redirect', '')} aria-current={active ? 'page' : undefined}>
                <MenuIcon name={node.icon} /> <span>{node.name}</span>
                <MenuBadge component={node.component} />
              </Link>
            )}
            {children.length > 0 && <Branch menu={menu} nodes={children} />}
          </li>
        );
      })}
    </ul>
  );
}
