import { moneyText } from '#kernel/contract/money/money.ts';
import { FileLinks } from '#modules/files/widgets.tsx';
import { fieldType } from '../../engine/codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { valueWords } from '../../engine/fields/value-words.ts';
import './fields.css';

/** A form field to read: text as it was written, nothing of it taken for markup. */
export function FieldValue({ item }: { item: FieldItem }) {
  const { field_value: value, field_display: display } = item;
  if (item.field_type_id === fieldType.note) return <>{item.description}</>;
  if (value === null || value === undefined || value === '') return <>—</>;
  if (item.field_type_id === fieldType.file)
    return item.field_files.length > 0 ? <FileLinks files={item.field_files} /> : <>—</>;
  if (item.field_type_id === fieldType.table) {
    const rows = value as Record<string, unknown>[];
    return (
      <table className="ticket-table">
        <thead>
          <tr>
            {item.columns.map((column) => (
              <th key={column.field_key}>{column.field_name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {item.columns.map((column) => {
                const cell = row[column.field_key];
                if (column.field_type_id === fieldType.file) {
                  const files = item.field_files.filter((file) => Array.isArray(cell) && cell.includes(file.id));
                  return <td key={column.field_key}>{files.length > 0 && <FileLinks files={files} />}</td>;
                }
                return <td key={column.field_key}>{valueWords(column, cell, item.field_people)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  if (item.field_type_id === fieldType.money) return <>{moneyText(Number(value))} 元</>;
  return <span className="ticket-text">{display || String(value)}</span>;
}
