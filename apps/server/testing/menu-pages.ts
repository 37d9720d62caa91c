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

/** Every page in the menu: its name and address. */
export function menuPages(rows: readonly MenuRow[]): { name: string; path: string }[] {
  const aboveOf = ({ parent }: MenuRow) => rows.find(({ id }) => id === parent);
  const pathOf = (row: MenuRow): string => {
    const above = aboveOf(row);
    return above && !row.web_path.startsWith('/') ? `${pathOf(above)}/${row.web_path}` : row.web_path;
  };
  return rows
    .filter((row) => row.component && row.visible && !row.is_link)
    .map((row) => ({ name: [aboveOf(row)?.name, row.name].filter(Boolean).join(' · '), path: pathOf(row) }))
    .filter(({ path }) => !path.includes(':'));
}
