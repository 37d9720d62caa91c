import { Alert, App, Button, Form, Input, Progress, Select, Switch } from 'antd';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { Link } from 'react-router';
import { photoKinds, sizeText } from '#kernel/contract/upload.ts';
import { optionsOf } from '#kernel/contract/titles.ts';
import { counted } from '#kernel/web/kit/form/parts/counted.ts';
import { useCall } from '#kernel/web/calls.ts';
import { useLeaveGuard } from '#kernel/web/kit/page.tsx';
import { TreePicker, type TreeNode } from '#kernel/web/kit/form/TreePicker.tsx';
import { albums, type AlbumNode } from '../../contract/albums.ts';
import { consent } from '../../contract/codes.ts';
import { queue, useQueue, type Sending } from './queue.ts';
import '../photos.css';

const accept = ['jpeg', ...photoKinds].map((kind) => `.${kind}`).join(',');
// A phone that is not offered HEIC converts to JPEG.
const onPhone = /iPhone|iPad/.test(navigator.userAgent);
const words: Record<Sending['state'], string> = {
  waiting: '等待上传',
  sending: '',
  held: '已暂停',
  sent: '已上传，等待提交',
  done: '已提交',
  same: '重复',
  failed: '失败',
};

/** The pictures of dropped files and folders, at any depth. */
async function filesIn(items: DataTransferItemList): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const walk = async (entry: FileSystemEntry): Promise<File[]> => {
    if (entry.isFile)
      return [await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))];
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const found: File[] = [];
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return found;
      for (const one of some) found.push(...(await walk(one)));
    }
  };
  return (await Promise.all(entries.map(walk))).flat();
}
const isPhoto = ({ name }: File) => accept.split(',').includes(`.${name.split('.').at(-1)!.toLowerCase()}`);
const uploadable = (nodes: readonly AlbumNode[]): TreeNode[] =>
  nodes.map(({ id, name, may_upload, children }) => ({
    id,
    name,
    disabled: !may_upload,
    children: uploadable(children),
  }));
const within = (nodes: readonly AlbumNode[], id: number): AlbumNode | undefined =>
  nodes.find((node) => node.id === id) ?? nodes.map((node) => within(node.children, id)).find(Boolean);

/** Uploads hundreds at once: common fields are entered once, and the upload continues while other pages are open. */
export function UploadPanel({ album }: { album: number | null }) {
  const { message } = App.useApp();
  const client = useQueryClient();
  const [form] = Form.useForm<{ category_id: number; title: string; photographer: string; faces: boolean }>();
  const [over, setOver] = useState(false);
  const [files, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const { list, paused } = useQueue();
  const { data: tree = [] } = useCall(albums.list, { query: {} });
  const chosen = Form.useWatch('category_id', form);
  const faces = Form.useWatch('faces', form);
  const here = chosen ? within(tree, chosen) : undefined;
  const of = (...states: Sending['state'][]) => list.filter((one) => states.includes(one.state)).length;
  const [coming, done, same, failed] = [of('waiting', 'sending', 'held', 'sent'), of('done'), of('same'), of('failed')];
  useLeaveGuard('photos', coming > 0);
  useEffect(() => {
    if (done > 0 && coming === 0) void client.invalidateQueries({ queryKey: ['photo'] });
  }, [client, done, coming]);

  const take = async (given: readonly File[]) => {
    const said = await form.validateFields().catch(() => null);
    if (!said) return void message.warning('请先选择相册');
    const fit = given.filter(isPhoto);
    if (fit.length < given.length) void message.warning(`${given.length - fit.length} 个文件不是照片，没有上传`);
    const { title, ...common } = said;
    const digits = String(fit.length).length;
    queue.add(fit, common, (file, at) =>
      (title ? `${title} ${String(at + 1).padStart(digits, '0')}` : file.name.replace(/\.[^.]*$/, '')).slice(0, 80),
    );
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void filesIn(event.dataTransfer.items).then(take);
  };
  const input = (ref: typeof files, more: object, label: string) => (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      aria-label={label}
      accept={onPhone ? 'image/jpeg,image/png' : accept}
      {...more}
      onChange={(event) => {
        void take([...(event.target.files ?? [])]);
        event.target.value = '';
      }}
    />
  );
  return (
    <>
      <Form form={form} layout="vertical" initialValues={{ category_id: album || undefined, faces: false, consent: 0 }}>
        <Form.Item name="category_id" label="相册" rules={[{ required: true, message: '请选择相册' }]}>
          <TreePicker nodes={uploadable(tree)} placeholder="请选择相册" />
        </Form.Item>
        {here && <p className="kit-muted">{here.review ? '上传后由相册管理员审核，采用后展示' : '上传后直接展示'}</p>}
        <Form.Item name="title" label="标题" extra="后面自动加上序号；不填则用文件名">
          <Input {...counted(70)} />
        </Form.Item>
        <Form.Item name="photographer" label="摄影">
          <Input {...counted(30)} />
        </Form.Item>
        <Form.Item name="place" label="地点">
          <Input {...counted(60)} />
        </Form.Item>
        <Form.Item name="tags" label="标签">
          <Select mode="tags" maxCount={20} open={false} placeholder="输入后回车" />
        </Form.Item>
        <Form.Item name="faces" label="有可识别的人物" valuePropName="checked">
          <Switch />
        </Form.Item>
        {faces && (
          <Form.Item name="consent" label="人物授权">
            <Select options={optionsOf(consent.names)} />
          </Form.Item>
        )}
      </Form>
      <div
        className="photo-drop"
        data-over={over || undefined}
        onDrop={drop}
        onDragLeave={() => setOver(false)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
      >
        {input(files, {}, '选择照片')}
        {input(folder, { webkitdirectory: '' }, '选择文件夹')}
        <div className="kit-row">
          <Button type="primary" onClick={() => files.current?.click()}>
            选择照片
          </Button>
          {!onPhone && <Button onClick={() => folder.current?.click()}>选择文件夹</Button>}
        </div>
        <p className="kit-muted">也可把照片或文件夹拖到这里；jpg、png、webp、gif、heic，每张不超过 30 MB</p>
      </div>
      {list.length > 0 && (
        <section aria-label="上传进度">
          <Alert
            type={failed > 0 ? 'warning' : coming > 0 ? 'info' : 'success'}
            title={`${done} 张已提交，${same} 张重复，${failed} 张失败${coming > 0 ? `，还有 ${coming} 张` : ''}`}
            description={coming > 0 ? '可以去看其他页面，上传会继续；刷新后重新选择同一批照片即可接着传' : undefined}
            action={
              <div className="kit-row">
                {coming > 0 && !paused && (
                  <Button size="small" onClick={queue.pause}>
                    暂停
                  </Button>
                )}
                {paused && (
                  <Button size="small" onClick={() => queue.resume()}>
                    继续
                  </Button>
                )}
                {failed > 0 && (
                  <Button size="small" onClick={() => queue.resume(true)}>
                    重试失败的
                  </Button>
                )}
                {done + same > 0 && (
                  <Button size="small" onClick={queue.clear}>
                    清除已完成
                  </Button>
                )}
              </div>
            }
          />
          <ul className="photo-queue">
            {list.map((one) => (
              <li key={one.key}>
                <span title={one.name}>{one.name}</span>
                <span className="kit-muted">{sizeText(one.size)}</span>
                {one.state === 'sending' && (
                  <Progress percent={Math.round(one.share * 100)} size={[90, 6]} aria-label={`${one.name}的进度`} />
                )}
                <span className="kit-muted">{one.reason || words[one.state]}</span>
                {one.other && <Link to={`/photo/detail/${one.other}`}>查看</Link>}
                {one.state !== 'done' && (
                  <Button size="small" type="text" aria-label={`移除${one.name}`} onClick={() => queue.drop(one.key)}>
                    移除
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
