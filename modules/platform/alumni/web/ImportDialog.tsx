import type { ReplyOf } from '#kernel/contract/call.ts';
import { SheetDialog } from '#kernel/web/kit/SheetDialog.tsx';
import { alumniImport } from '../contract/import.ts';

/** Imports alumni from a sheet. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  return (
    <SheetDialog<ReplyOf<typeof alumniImport.calls.import>>
      of={alumniImport}
      hint="学号已有的按表格更新，表格里没有的列保持不变；已退订的不会被改回。填写“同意短信”须注明日期和来源。"
      refreshes={['alumnus']}
      says={({ imported, updated }) => `已导入 ${imported} 人，其中更新 ${updated} 人`}
      onClose={onClose}
    />
  );
}
