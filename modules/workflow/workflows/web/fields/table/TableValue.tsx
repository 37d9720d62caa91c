import { Button } from 'antd';
import { useState } from 'react';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import '#kernel/web/kit/form/rows/rows.css';
import type { FieldItem } from '../../../contract/shapes.ts';
import { fieldType, isFileType } from '../../../engine/codes.ts';
import { rowsIn, type TableRow } from '../../../engine/fields/table-rows.ts';
import { valueWords } from '../../../engine/fields/value-words.ts';

interface Props {
  item: FieldItem;
  /** Shows all rows, as on paper. */
  whole: boolean;
}

/** The number of rows shown before somebody asks for all. */
const few = 50;

/** The read-only rows of a table. */
export function TableValue({ item, whole }: Props) {
  const [all, setAll] = useState(whole);
  const rows = rowsIn(item.field_value);
  return (
    <>
      <table className="kit-grid-table">
        <thead>
          <tr>
            {item.columns.map((column) => (
              <th key={column.field_key}>{column.field_name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, all ? rows.length : few).map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no names and are only read
            <tr key={index}>
              {item.columns.map((column) => (
                <td key={column.field_key}>
                  <Cell item={item} column={column} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!all && rows.length > few && (
        <Button type="link" onClick={() => setAll(true)}>
          显示全部 {rows.length} 行
        </Button>
      )}
    </>
  );
}

/** A read-only cell. */
export function Cell({ item, column, row }: { item: FieldItem; column: FieldItem['columns'][number]; row: TableRow }) {
  const cell = row[column.field_key];
  if (!isFileType(column.field_type_id)) return <>{valueWords(column, cell, item.field_people)}</>;
  const files = item.field_files.filter((file) => Array.isArray(cell) && cell.includes(file.id));
  return files.length > 0 && <FileLinks files={files} pictures={column.field_type_id === fieldType.image} />;
}
