import { moneyText } from '#kernel/contract/money/money.ts';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { fieldType, isFileType } from '../../engine/codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { ChosenRecords, Opinions } from './ShownOnly.tsx';
import { TableValue } from './table/TableValue.tsx';
import './fields.css';

/** A read-only form field: text as it was written, never interpreted as markup. `whole`: long tables with all their rows. */
export function FieldValue({ item, whole = false }: { item: FieldItem; whole?: boolean }) {
  const { field_value: value, field_display: display } = item;
  if (item.field_type_id === fieldType.note) return <>{item.description}</>;
  if (item.field_type_id === fieldType.serial && !value) return <span className="kit-muted">提交后自动生成</span>;
  if (item.field_type_id === fieldType.opinions)
    return item.field_opinions?.length ? <Opinions opinions={item.field_opinions} /> : <>—</>;
  if (value === null || value === undefined || value === '') return <>—</>;
  if (item.field_type_id === fieldType.records) return <ChosenRecords item={item} />;
  const pictures = item.field_type_id === fieldType.image;
  if (isFileType(item.field_type_id))
    return item.field_files.length > 0 ? <FileLinks files={item.field_files} pictures={pictures} /> : <>—</>;
  if (item.field_type_id === fieldType.table) return <TableValue item={item} whole={whole} />;
  if (item.field_type_id === fieldType.money) return <>{moneyText(Number(value))} 元</>;
  return <span className="ticket-text">{display || String(value)}</span>;
}
