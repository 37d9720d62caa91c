/** One row of the answer of `GET /api/accounts/menu/web_router/`. */
export interface MenuRow {
  id: number;
  parent: number | null;
  name: string;
  web_path: string;
  component: string | null;
  visible: boolean;
  is_link: boolean;
}

/** The address of a menu entry, below those above it. */
function pathIn(rows: readonly MenuRow[], row: MenuRow): string {
  const above = rows.find(({ id }) => id === row.parent);
  return above && !row.web_path.startsWith('/') ? `${pathIn(rows, above)}/${row.web_path}` : row.web_path;
}

/** Every page in the menu: its name and address. */
export function menuPages(rows: readonly MenuRow[]): { name: string; path: string }[] {
  const aboveOf = ({ parent }: MenuRow) => rows.find(({ id }) => id === parent);
  return rows
    .filter((row) => row.component && row.visible && !row.is_link)
    .map((row) => ({
      name: [aboveOf(row)?.name, row.name].filter(Boolean).join(' · '),
      path: pathIn(rows, row),
    }))
    .filter(({ path }) => !path.includes(':'));
}

interface Page {
  path: string;
  /** Name of its component. */
  page: string;
}
/** The addresses of the pages of one record each, whose components are called as in `order/detail`: those of the menu, and those that exist regardless of it. */
export const recordPages = (rows: readonly MenuRow[], fixed: readonly Page[]): string[] => {
  const pages = [...rows.map((row) => ({ path: pathIn(rows, row), page: row.component ?? '' })), ...fixed];
  return [...new Set(pages.filter(({ page }) => page.endsWith('/detail')).map(({ path }) => path))];
};
