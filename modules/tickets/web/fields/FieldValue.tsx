import { fieldType } from '#modules/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflows/contract/shapes.ts';

/** A form field to read: text as it was written, nothing of it taken for markup. */
export function FieldValue({ item }: { item: FieldItem }) {
  const { field_value: value, field_display: display } = item;
  if (value === null || value === undefined || value === '') return <>—</>;
  if (item.field_type_id === fieldType.file) return <>{(value as unknown[]).length} 个附件</>;
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
                return <td key={column.field_key}>{column.field_choice[String(cell)] ?? String(cell ?? '')}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  return <span className="ticket-text">{display || String(value)}</span>;
}
