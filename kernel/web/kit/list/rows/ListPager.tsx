import { Button, Select } from 'antd';
import { useNarrow } from '../../narrow.ts';

/** The selectable page sizes, and the default of the pager. */
export const pageSizes = [10, 20, 30, 50];
export const pagerLimit = 20;

/** The page numbers to show: first and last always, `null` for a gap, at most `count` numbers. */
export function pageButtons(page: number, pages: number, count: number): (number | null)[] {
  if (pages <= count) return Array.from({ length: pages }, (_, index) => index + 1);
  const inner = count - 2;
  const from = Math.min(Math.max(2, page - (inner - 1) / 2), pages - inner);
  const middle = Array.from({ length: inner }, (_, index) => from + index);
  return [1, ...(from > 2 ? [null] : []), ...middle, ...(from + inner < pages ? [null] : []), pages];
}

export interface ListPagerProps {
  page: number;
  perPage?: number;
  total: number;
  capped?: boolean;
  onChange: (page: number, perPage: number) => void;
}

/** The pager of a list: five numbers under 992 px, else seven, a jump field, the page size, and the total (`120+` if capped). */
export function ListPager({ page, perPage = pagerLimit, total, capped, onChange }: ListPagerProps) {
  const narrow = useNarrow();
  const pages = Math.max(1, Math.ceil(total / perPage));
  const go = (to: number) => onChange(Math.min(Math.max(1, to), capped ? to : pages), perPage);
  const sizes = pageSizes.includes(perPage) ? pageSizes : [...pageSizes, perPage];
  return (
    <nav className="kit-pager" aria-label="分页">
      <span className="kit-muted">共 {capped ? `${total}+` : total} 条</span>
      <Button type="text" disabled={page <= 1} onClick={() => go(page - 1)} aria-label="上一页">
        ‹
      </Button>
      {pageButtons(page, Math.max(pages, page), narrow ? 5 : 7).map((number, index) =>
        number === null ? (
          <span key={`gap${index}`} className="kit-muted">
            …
          </span>
        ) : (
          <Button
            key={number}
            className="kit-page"
            type={number === page ? 'default' : 'text'}
            aria-current={number === page ? 'page' : undefined}
            aria-label={`第 ${number} 页`}
            onClick={() => go(number)}
          >
            {number}
          </Button>
        ),
      )}
      <Button type="text" disabled={page >= pages && !capped} onClick={() => go(page + 1)} aria-label="下一页">
        ›
      </Button>
      <Select
        aria-label="每页条数"
        value={perPage}
        options={sizes.map((value) => ({ value, label: `${value} 条/页` }))}
        onChange={(value) => onChange(1, value)}
      />
      {!narrow && pages > 7 && (
        <label className="kit-muted">
          跳至{' '}
          <input
            className="kit-jump"
            inputMode="numeric"
            onKeyDown={(event) => {
              const to = Number(event.currentTarget.value);
              if (event.key === 'Enter' && Number.isInteger(to) && to > 0) go(to);
            }}
          />{' '}
          页
        </label>
      )}
    </nav>
  );
}
