import { Pagination } from 'antd';
import type { PaginationProps } from 'antd';
import { cloneElement, isValidElement } from 'react';

const names: Readonly<Record<string, string>> = { prev: '上一页', next: '下一页' };
/** The library's arrows are buttons without a name. */
const itemRender: PaginationProps['itemRender'] = (_page, type, element) =>
  names[type] && isValidElement<{ 'aria-label'?: string }>(element)
    ? cloneElement(element, { 'aria-label': names[type] })
    : element;
const plain = { hideOnSinglePage: true, showSizeChanger: false, itemRender };

/** The pages of a panel, which keep out of the address; those of a list are `ListPager`. */
export const Pager = (props: Omit<PaginationProps, 'itemRender'>) => <Pagination {...plain} {...props} />;

/** The pages of a table: of all its rows, or as its call answers them. */
export const paged = (pageSize: number, asked: Pick<PaginationProps, 'current' | 'total' | 'onChange'> = {}) => ({
  ...plain,
  pageSize,
  ...asked,
});
