import { Alert, App, Button, Checkbox, Input, Segmented, Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { useActs } from '#kernel/web/kit/press/acts.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { FilesInput, PdfPages } from '#modules/platform/files/widgets.tsx';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { SignDrawer } from '#modules/workflow/tickets/widgets.tsx';
import type { ApplicationDetail } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { paperKind } from '../../contract/codes.ts';
import { pictures } from '../seals/StampForm.tsx';
import { applicationActs, SealChoice } from '../use/acts.tsx';
import { stateOf } from '../use/columns.tsx';

type Kind = 'seal' | 'hand_over' | 'return';
const named = { seal: '已用印', hand_over: '交出印章', return: '已归还' } as const;
const checks = ['页数一致', '无空白', '份数一致'] as const;

/** One application at the desk: the approved file beside the camera, on a phone one above the other. */
export function DeskCase({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useCall(calls.get, { params: { id } });
  if (error) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  return <Case key={data.value.version} row={data.value} onClose={onClose} />;
}

function Case({ row, onClose }: { row: ApplicationDetail; onClose: () => void }) {
  const kinds = (['return', 'seal', 'hand_over'] as const).filter((one) =>
    row.lines.some((line) => line.actions.includes(one)),
  );
  const [picked, setPicked] = useState<Kind>();
  const kind = picked ?? kinds[0];
  const files = row.files.filter((file) => file.kind === paperKind.toSeal);
  const [shown, setShown] = useState(0);
  const file = files[shown];
  return (
    <section className="stamp-case" aria-label={row.title}>
      <header className="kit-panel kit-row">
        <Button onClick={onClose}>返回</Button>
        <h1>{row.title}</h1>
        <span className="kit-muted">
          {[
            row.sn,
            `${row.copies} 份`,
            row.pages && `每份 ${row.pages} 页`,
            `${row.dept_name} ${row.operator_info.alias}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </header>
      <div className="stamp-case-body">
        <div className="kit-panel stamp-file">
          {files.length > 1 && (
            <Segmented
              aria-label="文件"
              options={files.map((one, at) => ({ label: one.name, value: at }))}
              value={shown}
              onChange={setShown}
            />
          )}
          {file && <Approved key={file.id} file={file} />}
        </div>
        <div className="kit-panel kit-stack stamp-camera">
          {kinds.length > 1 && (
            <Segmented
              aria-label="办理"
              options={kinds.map((one) => ({ label: named[one], value: one }))}
              value={kind!}
              onChange={setPicked}
            />
          )}
          {kind ? <Registering key={kind} row={row} kind={kind} onClose={onClose} /> : <Standing row={row} />}
        </div>
      </div>
    </section>
  );
}

/** The approved file, page by page. */
function Approved({ file }: { file: FileCard }) {
  if (file.mime.startsWith('image/')) return <img src={file.url} alt={file.name} />;
  if (file.ext !== 'pdf')
    return (
      <a href={file.url} target="_blank" rel="noreferrer">
        打开 {file.name}
      </a>
    );
  return (
    <Suspense fallback={<Skeleton active />}>
      <PdfPages source={file.id} name={file.name} />
    </Suspense>
  );
}

/** Shown if nothing is to be sealed: the progress, and what can still be done here. */
function Standing({ row }: { row: ApplicationDetail }) {
  const { buttons, drawer } = useActs('stamp', applicationActs);
  return (
    <>
      <Alert type="info" showIcon title={row.lines.map((line) => `${line.stamp_name}：${stateOf(line)}`).join('；')} />
      {buttons(row, row.can, { among: ['confirm', 'ask_second', 'copy'], size: 'large' })}
      <Link to={`/stamp/detail/${row.id}`}>查看申请和审批</Link>
      {drawer}
    </>
  );
}

/** Registers an act on the chosen seals: pictures first, then the fields. */
function Registering({ row, kind, onClose }: { row: ApplicationDetail; kind: Kind; onClose: () => void }) {
  const lines = row.lines.filter((line) => line.actions.includes(kind));
  const [stamps, setStamps] = useState(() => lines.map((line) => line.stamp_id));
  const { message } = App.useApp();
  const [photos, setPhotos] = useState<number[]>([]);
  const { held, hold } = useHeld();
  const [done, setDone] = useState<string[]>([]);
  const [copies, setCopies] = useState<number | null>(row.copies);
  const [pages, setPages] = useState<number | null>(row.pages);
  const [remark, setRemark] = useState('');
  const [signing, setSigning] = useState(false);
  const { buttons, drawer } = useActs<ApplicationDetail>('stamp', {
    refuse: {
      label: '拒绝',
      title: '拒绝用印',
      call: calls.refuse,
      danger: true,
      also: { stamp_ids: stamps },
      fields: [{ name: 'reason', kind: 'textarea', help: '发起人和所有批准人都会看到；拒绝后不能再盖' }],
      submit: '拒绝用印',
      onDone: onClose,
    },
  });
  const sending = useSend(calls.handle, {
    onSuccess: () => {
      void message.success(`${named[kind]}，已登记`);
      onClose();
    },
  });
  const register = (signature: number | null) =>
    sending.mutate({
      params: { id: row.id },
      body: {
        stamp_ids: stamps,
        kind,
        pictures: photos,
        ...(kind === 'hand_over' ? {} : { real_copies: copies ?? 0, real_pages: pages }),
        remark,
        signature,
      },
    });
  const missing =
    stamps.length === 0
      ? '请选择印章'
      : held.length > 0
        ? held[0]!.says
        : photos.length === 0
          ? '请先拍照'
          : kind === 'seal' && done.length < checks.length
            ? '请逐项核对'
            : '';
  return (
    <>
      {lines.length > 1 ? (
        <SealChoice lines={lines} value={stamps} onChange={setStamps} />
      ) : (
        <strong>
          {lines[0]?.stamp_name}，每份 {lines[0]?.times} 次
        </strong>
      )}
      {kind !== 'seal' && (
        <span className="kit-muted">
          外带 {row.borrow_start?.slice(0, 16)} 至 {row.borrow_end?.slice(0, 16)}，{row.borrow_place}，
          {row.escort_info?.alias}陪同
        </span>
      )}
      <HoldContext value={hold}>
        <FilesInput
          label="照片"
          module={pictures}
          accept="image/*"
          camera="only"
          max={20}
          value={photos}
          onChange={setPhotos}
        />
        {kind === 'seal' && <Checkbox.Group options={[...checks]} value={done} onChange={(next) => setDone(next)} />}
        {kind !== 'hand_over' && (
          <div className="kit-row">
            <label>
              份数{' '}
              <NumberInput
                min={kind === 'return' ? 0 : 1}
                max={row.copies}
                precision={0}
                value={copies}
                onChange={setCopies}
              />
            </label>
            <label>
              每份页数 <NumberInput min={1} precision={0} value={pages} onChange={setPages} />
            </label>
          </div>
        )}
      </HoldContext>
      <Input.TextArea
        rows={2}
        maxLength={300}
        value={remark}
        placeholder="说明：班外用印须写明原因"
        aria-label="说明"
        onChange={(event) => setRemark(event.target.value)}
      />
      <div className="stamp-buttons">
        <Button
          type="primary"
          size="large"
          loading={sending.isPending}
          disabled={missing !== ''}
          title={missing}
          onClick={() => (kind === 'hand_over' ? setSigning(true) : register(null))}
        >
          {missing || (kind === 'hand_over' ? '陪同人签名并交出' : named[kind])}
        </Button>
        {kind !== 'return' && buttons(row, ['refuse'], { size: 'large' })}
      </div>
      {signing && (
        <Suspense fallback={null}>
          <SignDrawer
            act="交出印章"
            module="stamps"
            onSigned={(file) => {
              setSigning(false);
              register(file);
            }}
            onClose={() => setSigning(false)}
          />
        </Suspense>
      )}
      {drawer}
    </>
  );
}
