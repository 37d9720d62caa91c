import { Alert, Button, Drawer, Select, Switch } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { reportCalls } from '../contract/reports.ts';

/** 公开状态页: closed until it is switched on; shows the chosen projects. */
export function StatusPageDrawer({ customer, onClose }: { customer: number; onClose: () => void }) {
  const asked = { params: { id: customer } };
  const { data, error, refetch } = useCall(reportCalls.statusPage, asked);
  const [chosen, setChosen] = useState<number[] | null>(null);
  const again = { onSuccess: () => void refetch() };
  const open = useSend(reportCalls.openStatus, again);
  const close = useSend(reportCalls.closeStatus, again);
  const save = useSend(reportCalls.changeStatus, again);
  const page = data?.value ?? null;
  const project_ids = chosen ?? page?.project_ids ?? [];
  return (
    <Drawer title="公开状态页" open onClose={onClose} size={480}>
      {error && !data && <Alert type="warning" showIcon title="没有权限设置该客户的状态页" />}
      {data && (
        <div className="kit-stack">
          <div className="kit-row">
            <Switch
              aria-label="公开状态页"
              checked={page !== null}
              loading={open.isPending || close.isPending}
              onChange={(on) => (on ? open.mutate({ ...asked, body: { project_ids } }) : close.mutate(asked))}
            />
            {page ? '已开放：知道地址的人都能看到' : '没有开放'}
          </div>
          <p className="kit-muted">页面只有项目名称、状态、90 天可用率和计划的维护，没有网址；搜索引擎不收录。</p>
          <Select
            mode="multiple"
            className="kit-wide"
            aria-label="公开的项目"
            placeholder="请选择公开的项目"
            value={project_ids}
            onChange={setChosen}
            options={data.projects.map(({ id, name }) => ({ value: id, label: name }))}
            notFoundContent="该客户没有监测的项目"
          />
          {page && (
            <>
              <Button
                type="primary"
                loading={save.isPending}
                disabled={chosen === null}
                onClick={() => save.mutate({ ...asked, body: { project_ids } })}
              >
                保存公开的项目
              </Button>
              <CopyText text={page.url} />
              <div className="kit-row">
                <a href={page.url} target="_blank" rel="noreferrer">
                  打开状态页
                </a>
                <CallButton
                  call={reportCalls.openStatus}
                  asked={{ ...asked, body: {} }}
                  code={null}
                  confirm={{ title: '更换状态页地址', content: '原地址立即失效。' }}
                  onDone={() => void refetch()}
                >
                  更换地址
                </CallButton>
              </div>
            </>
          )}
        </div>
      )}
    </Drawer>
  );
}
