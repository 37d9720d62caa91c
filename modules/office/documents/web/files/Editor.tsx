import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Drawer, Spin } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { documentFiles, type DocumentFile } from '../../contract/files/files.ts';

type Opening = ReplyOf<typeof documentFiles.open>;
/** In milliseconds: a token is renewed this long before its end. */
const early = 5 * 60_000;
/** In milliseconds: the time an editor gets to save before it is closed. */
const patience = 8000;

/** Opens a file in the site's editor, in the whole window. */
export default function Editor({ file, view, onClose }: { file: DocumentFile; view: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [opening, setOpening] = useState<Opening | string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const editing = typeof opening === 'object' && opening !== null && opening.may_write;
  const close = () => {
    void client.invalidateQueries({ queryKey: ['document'] });
    onClose();
  };
  useEffect(() => {
    const stop = new AbortController();
    const asked = { params: { id: file.id }, query: view ? { view } : {} };
    send(documentFiles.open, asked, { signal: stop.signal, quiet: true }).then(
      (found) => setOpening(found.editor_url ? found : found.editor_note || '在线编辑服务尚未设置，请联系管理员'),
      (error: unknown) => {
        if (!stop.signal.aborted) setOpening(error instanceof CallFailed ? error.msg : '打开失败，请稍后再试');
      },
    );
    return () => stop.abort();
  }, [file.id, view]);
  return (
    <Drawer
      open
      title={file.name}
      placement="bottom"
      size="100%"
      onClose={() => (editing ? setLeaving(true) : close())}
      classNames={{ body: 'document-editor' }}
      extra={
        <Button loading={leaving} onClick={() => (editing ? setLeaving(true) : close())}>
          {view ? '关闭' : '完成编辑'}
        </Button>
      }
    >
      {opening === null ? (
        <Spin />
      ) : typeof opening === 'string' ? (
        <Alert type="warning" showIcon title={opening} />
      ) : (
        <Frame place={file.id} name={file.name} opening={opening} leaving={leaving} onClose={close} />
      )}
    </Drawer>
  );
}

/** The editor's page in a frame, to which a form posts the token. */
function Frame({
  place,
  name,
  opening,
  leaving,
  onClose,
}: {
  place: number;
  name: string;
  opening: Opening;
  /** Set while the editor saves its changes before closing. */
  leaving: boolean;
  onClose: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const closing = useRef(onClose);
  const { editor_url, access_token, access_token_ttl, may_write } = opening;
  useEffect(() => {
    closing.current = onClose;
  });
  useEffect(() => form.current?.submit(), [editor_url]);
  useEffect(() => {
    if (!leaving) return undefined;
    const { origin } = new URL(editor_url);
    const end = () => closing.current();
    const hear = (event: MessageEvent) => {
      const own = event.origin === origin && event.source === frame.current?.contentWindow;
      if (own && wordOf(event.data) === 'Action_Save_Resp') end();
    };
    addEventListener('message', hear);
    const Values = { DontTerminateEdit: false, DontSaveIfUnmodified: true, Notify: true };
    frame.current?.contentWindow?.postMessage(
      JSON.stringify({ MessageId: 'Action_Save', SendTime: Date.now(), Values }),
      origin,
    );
    // An editor that does not report saving saves on closing.
    const timer = window.setTimeout(end, patience);
    return () => {
      removeEventListener('message', hear);
      window.clearTimeout(timer);
    };
  }, [leaving, editor_url]);
  useEffect(() => {
    const { origin } = new URL(editor_url);
    const tell = (MessageId: string, Values: object = {}) =>
      frame.current?.contentWindow?.postMessage(JSON.stringify({ MessageId, SendTime: Date.now(), Values }), origin);
    const hear = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      const word = wordOf(event.data);
      if (word === 'App_LoadingStatus') tell('Host_PostmessageReady');
      if (word === 'UI_Close') closing.current();
    };
    let timer = 0;
    // An editor that ignores the new token asks the person to open the file again when the old one ends.
    const renewAt = (ends: number) => {
      timer = window.setTimeout(
        async () => {
          const asked = { params: { id: place }, query: may_write ? {} : { view: true } };
          const fresh = await send(documentFiles.open, asked, { quiet: true }).catch(() => null);
          if (!fresh?.access_token) return;
          tell('Reset_Access_Token', { token: fresh.access_token });
          renewAt(fresh.access_token_ttl);
        },
        ends - Date.now() - early,
      );
    };
    renewAt(access_token_ttl);
    addEventListener('message', hear);
    return () => {
      window.clearTimeout(timer);
      removeEventListener('message', hear);
    };
  }, [editor_url, access_token_ttl, may_write, place]);
  return (
    <>
      <form ref={form} hidden method="post" action={editor_url} target="document-editor">
        <input type="hidden" name="access_token" value={access_token} />
        <input type="hidden" name="access_token_ttl" value={access_token_ttl} />
      </form>
      <iframe
        ref={frame}
        name="document-editor"
        title={`${may_write ? '在线编辑' : '在线查看'} ${name}`}
        // oxlint-disable-next-line react/iframe-missing-sandbox -- another origin: its own gives it nothing of ours
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals"
        allow="clipboard-read; clipboard-write; fullscreen"
      />
    </>
  );
}

function wordOf(data: unknown): string {
  try {
    const said = (typeof data === 'string' ? JSON.parse(data) : data) as { MessageId?: unknown } | null;
    return typeof said?.MessageId === 'string' ? said.MessageId : '';
  } catch {
    return '';
  }
}
