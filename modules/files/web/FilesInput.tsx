import { UploadOutlined } from '@ant-design/icons';
import { Button, Upload } from 'antd';
import type { UploadFile, UploadProps } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { upload } from '#kernel/web/client.ts';
import { files, type FileCard } from '../contract.ts';
import { addressOfFile, isImage, type ShownFile } from './shown-file.ts';

export interface FilesInputProps {
  id?: string | undefined;
  label: string;
  /** Whose records take the files, as uploads name it. */
  module: string;
  /** Ids of files. */
  value: readonly number[];
  onChange: (ids: number[]) => void;
  /** Cards of files the record has already. */
  known?: readonly ShownFile[];
  /** The most files there may be. */
  max?: number | undefined;
  /** Endings the browser offers to choose from. */
  accept: string;
  disabled?: boolean | undefined;
  /** Told while something is still being sent: a form waits for it. */
  onWait?: ((waiting: boolean) => void) | undefined;
  'aria-describedby'?: string | undefined;
}

/** Takes files, several at once, and sends them as soon as they are chosen; pictures are shown small. */
export function FilesInput(props: FilesInputProps) {
  const { id, label, module, value, known = [], max, accept, disabled = false } = props;
  const [sent, setSent] = useState<readonly ShownFile[]>([]);
  const [coming, setComing] = useState<UploadFile<FileCard>[]>([]);
  // An upload ends long after it began: what it tells must reach the form as it is by then.
  const latest = useRef(props);
  const held = useRef(value);
  useEffect(() => {
    latest.current = props;
    held.current = props.value;
  });
  const change = (next: number[]) => {
    held.current = next;
    latest.current.onChange(next);
  };
  const cards = new Map([...known, ...sent].map((file) => [file.id, file]));
  const items: UploadFile<FileCard>[] = value.map((one) => itemOf(cards.get(one) ?? unknownFile(one)));
  const send: UploadProps<FileCard>['customRequest'] = ({ file, onProgress, onSuccess, onError }) => {
    const stop = new AbortController();
    upload(files.upload, { body: { module } }, file as File, {
      signal: stop.signal,
      onProgress: (share) => onProgress?.({ percent: Math.round((share ?? 0) * 100) }),
    }).then(
      (card) => onSuccess?.(card),
      (error: Error) => onError?.(error),
    );
    return { abort: () => stop.abort() };
  };
  const follow: UploadProps<FileCard>['onChange'] = ({ file, fileList }) => {
    const open = fileList.filter((one) => one.status === 'uploading' || one.status === 'error');
    setComing(open);
    latest.current.onWait?.(open.some((one) => one.status === 'uploading'));
    const { response: card } = file;
    if (file.status === 'done' && card) {
      setSent((before) => [...before, card]);
      change([...held.current, card.id]);
    }
    if (file.status === 'removed') change(held.current.filter((one) => uidOf(one) !== file.uid));
  };
  const full = max !== undefined && value.length + coming.length >= max;
  return (
    <Upload<FileCard>
      accept={accept}
      multiple={max !== 1}
      {...(max === undefined ? {} : { maxCount: max })}
      listType="picture"
      disabled={disabled}
      fileList={[...items, ...coming]}
      isImageUrl={(file) => isImage(file.type ?? '')}
      customRequest={send}
      onChange={follow}
    >
      <Button
        id={id}
        icon={<UploadOutlined />}
        disabled={disabled || full}
        aria-label={`上传${label}`}
        aria-describedby={props['aria-describedby']}
      >
        {full ? `最多 ${max} 个` : '选择文件'}
      </Button>
    </Upload>
  );
}

const uidOf = (id: number) => `file-${id}`;

/** A file of a restored draft, of which only the id is left. */
const unknownFile = (id: number): ShownFile => ({
  id,
  name: '已上传的文件',
  mime: '',
  url: `/api/file/${id}/preview/`,
});

function itemOf(file: ShownFile): UploadFile<FileCard> {
  const picture = isImage(file.mime) ? { thumbUrl: file.url } : {};
  return {
    uid: uidOf(file.id),
    name: file.name,
    type: file.mime,
    status: 'done',
    url: addressOfFile(file),
    ...picture,
  };
}
