import { App, Button } from 'antd';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Calls } from '#kernel/contract/call.ts';
import { download } from '../../../client.ts';
import { usePermission } from '../../permission.tsx';
import { saveFile } from '../../saveFile.ts';

/**
 * Exports the rows of the list, with `daochu` on this page; shows the progress and the end, also after the person went to another page; can be
 * stopped.
 */
export function ExportButton({
  call,
  query,
  params,
}: {
  call: Calls[string];
  query: Record<string, unknown>;
  /** The parameters of a list that belongs to a record. */
  params?: Record<string, unknown>;
}) {
  const may = usePermission();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const [share, setShare] = useState<number | null | undefined>(undefined);
  const stop = useRef<AbortController | null>(null);
  if (!call.exports || !may('daochu')) return null;
  const run = async () => {
    setShare(null);
    stop.current = new AbortController();
    try {
      const file = await download(
        call,
        { params, query: { ...query, export: 'xlsx' } },
        {
          onProgress: setShare,
          signal: stop.current.signal,
        },
      );
      if (!file) return void message.info(<Coming onOpen={() => void navigate('/exports')} />, 8);
      saveFile(file.blob, file.name || `${call.exports?.title}.xlsx`);
      void message.success(`“${call.exports?.title}”已导出`);
    } catch {
      // The client has already shown the failure.
    } finally {
      setShare(undefined);
    }
  };
  return (
    <>
      <Button loading={share !== undefined} onClick={() => void run()}>
        {share === undefined ? '导出' : share === null ? '导出中' : `导出 ${Math.round(share * 100)}%`}
      </Button>
      {share !== undefined && <Button onClick={() => stop.current?.abort()}>取消导出</Button>}
    </>
  );
}

/** The message about a sheet that is made in the background. */
function Coming({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      行数较多，正在后台生成，完成后会发消息给您
      <Button type="link" size="small" onClick={onOpen}>
        我的导出
      </Button>
    </>
  );
}
