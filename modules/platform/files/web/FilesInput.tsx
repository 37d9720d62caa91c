import { CloseOutlined, UploadOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { CameraButton, Photographer } from '#kernel/web/kit/camera.tsx';
import { ComingFile } from './ComingFile.tsx';
import { FileName } from './FileName.tsx';
import { rememberedFile, rememberFile } from './remembered.ts';
import { sizeText, type ShownFile } from './preview/shown-file.ts';
import { discard } from './transfer.ts';
import { useListBeingFilled } from './useListBeingFilled.ts';
import { useTransfers } from './useTransfers.ts';
import './files.css';

export interface FilesInputProps {
  id?: string | undefined;
  label: string;
  /** The module whose records own the files, as in uploads. */
  module: string;
  /** Ids of files. */
  value: readonly number[];
  onChange: (ids: number[]) => void;
  /** Cards of the record's present files. */
  known?: readonly ShownFile[];
  /** The maximum number of files. */
  max?: number | undefined;
  /** File extensions offered by the browser. */
  accept: string;
  disabled?: boolean | undefined;
  /** Photos can be taken with this device's camera: beside chosen files, or only so, with the camera open. */
  camera?: 'offered' | 'only' | undefined;
  'aria-describedby'?: string | undefined;
}

/** Uploads several files at once, chosen, dropped, pasted or photographed; pictures are shown as thumbnails. */
export function FilesInput(props: FilesInputProps) {
  const { id, label, module, value, known = [], max, accept, disabled = false, camera } = props;
  const [sent, setSent] = useState<readonly ShownFile[]>([]);
  const [over, setOver] = useState(false);
  const [shooting, setShooting] = useState(camera === 'only');
  const area = useRef<HTMLDivElement>(null);
  const chosen = useRef<HTMLInputElement>(null);
  const { message } = App.useApp();
  const change = useListBeingFilled(value, props.onChange);
  const { coming, add, retry, cancel } = useTransfers(module, {
    place: area,
    onDone(card) {
      setSent((before) => [...before, card]);
      rememberFile(card);
      change((ids) => [...ids, card.id]);
    },
  });
  const remove = (one: number) => {
    change((ids) => ids.filter((other) => other !== one));
    if (!known.some((file) => file.id === one)) void discard(one);
  };
  const cards = new Map([...known, ...sent].map((file) => [file.id, file]));
  const room = max === undefined ? Infinity : max - value.length - coming.length;
  const take = (files: readonly File[]) => {
    if (files.length === 0 || disabled) return;
    if (files.length > room) void message.warning(`${label}最多 ${max} 个文件，多出的没有上传`);
    add(files.slice(0, Math.max(0, room)));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]);
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length > 0) event.preventDefault();
    take(files);
  };
  return (
    <div
      ref={area}
      className="files-input"
      data-over={over || undefined}
      onPaste={paste}
      onDrop={drop}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
    >
      {camera !== 'only' && (
        <>
          <input
            ref={chosen}
            type="file"
            hidden
            aria-label={`选择${label}`}
            accept={accept}
            multiple={max !== 1}
            onChange={(event) => {
              take([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
          <Button
            id={id}
            icon={<UploadOutlined />}
            disabled={disabled || room <= 0}
            aria-label={`上传${label}`}
            aria-describedby={props['aria-describedby']}
            onClick={() => chosen.current?.click()}
          >
            {room <= 0 ? `最多 ${max} 个` : '选择文件'}
          </Button>
        </>
      )}
      {camera === 'offered' && (
        <CameraButton open={shooting} onClick={() => setShooting(!shooting)}>
          拍照
        </CameraButton>
      )}
      {camera !== 'only' && <span className="kit-muted files-input-hint">也可拖到这里，或点按钮后粘贴</span>}
      {shooting && <Photographer onPhoto={(photo) => take([photo])} />}
      {(value.length > 0 || coming.length > 0) && (
        <ul className="file-links">
          {value.map((one) => {
            const file = cards.get(one) ?? rememberedFile(one);
            return (
              <li key={one}>
                <FileName file={file} />
                {file.size !== undefined && <span className="kit-muted">{sizeText(file.size)}</span>}
                {!disabled && (
                  <Button
                    type="text"
                    icon={<CloseOutlined />}
                    aria-label={`移除${file.name}`}
                    onClick={() => remove(one)}
                  />
                )}
              </li>
            );
          })}
          {coming.map((file) => (
            <ComingFile key={file.key} file={file} onRetry={() => retry(file.key)} onCancel={() => cancel(file.key)} />
          ))}
        </ul>
      )}
    </div>
  );
}
