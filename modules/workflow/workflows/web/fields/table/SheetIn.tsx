import { ImportOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useRef, useState } from 'react';
import { upload } from '#kernel/web/client.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import type { FieldItem } from '../../../contract/shapes.ts';
import { readLines, type TableRow } from '../../../engine/fields/table-rows.ts';

interface Props {
  label: string;
  columns: FieldItem['columns'];
  /** The number of rows that may still be added. */
  room: number;
  disabled: boolean;
  /** The form's workflow. */
  workflow: number;
  onRows: (rows: TableRow[]) => void;
}

const told = 5;

/**
 * Reads rows from the first sheet of a workbook, by the names of the columns in its heading; the server parses it like every other sheet, and stores
 * nothing.
 */
export function SheetIn({ label, columns, room, disabled, workflow, onRows }: Props) {
  const chosen = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<{ count: number; troubles: readonly string[] } | null>(null);
  const take = async (file: File) => {
    setBusy(true);
    try {
      const asked = { query: { workflow_id: workflow } };
      const sheet = await upload(tickets.sheet, asked, file, { quiet: true });
      const { rows, troubles } = readLines(sheet, columns, room);
      if (rows.length > 0) onRows(rows);
      setFound({ count: rows.length, troubles });
    } catch (error) {
      setFound({ count: 0, troubles: [`“${file.name}”没有读入：${(error as Error).message}`] });
    } finally {
      setBusy(false);
    }
  };
  const { count = 0, troubles = [] } = found ?? {};
  return (
    <>
      <input
        ref={chosen}
        type="file"
        hidden
        accept=".xlsx"
        aria-label={`选择${label}的表格文件`}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) void take(file);
        }}
      />
      <Button
        icon={<ImportOutlined aria-hidden="true" />}
        loading={busy}
        disabled={disabled || room <= 0}
        title="第一行写列名，每行一条"
        onClick={() => chosen.current?.click()}
      >
        从表格导入
      </Button>
      {found && (
        <Alert
          className="kit-wide"
          type={troubles.length > 0 ? 'warning' : 'success'}
          showIcon
          closable={{ onClose: () => setFound(null) }}
          title={`读入 ${count} 行${troubles.length > 0 ? `，${troubles.length} 处须核对` : ''}`}
          description={
            troubles.length > 0 && (
              <ul className="ticket-troubles">
                {troubles.slice(0, told).map((one) => (
                  <li key={one}>{one}</li>
                ))}
                {troubles.length > told && <li>等 {troubles.length} 处</li>}
              </ul>
            )
          }
        />
      )}
    </>
  );
}
