import { keepPreviousData } from '@tanstack/react-query';
import { Alert, Drawer, Form, Segmented, Select, Skeleton } from 'antd';
import type { SelectProps } from 'antd';
import { useId, useState } from 'react';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { explainCalls } from '../../contract/explain.ts';
import { SeeAs } from './SeeAs.tsx';

type About = '页面' | '按钮' | '记录';
interface Asked {
  menu?: number | undefined;
  code?: PermissionCode | undefined;
  kind?: string | undefined;
  record?: number | undefined;
}

/** Explains why somebody sees a page, has a button, sees a record, or does not. */
export function ExplainDrawer({ person, onClose }: { person: { id: number; alias: string }; onClose: () => void }) {
  const narrow = useNarrow();
  const [about, setAbout] = useState<About>('页面');
  const [asked, setAsked] = useState<Asked>({});
  const { data: things, error } = useCall(explainCalls.things, {});
  const page = things?.pages.find((one) => one.id === asked.menu);
  const whole =
    about === '页面' ? asked.menu : about === '按钮' ? asked.menu && asked.code : asked.kind && asked.record;
  const put = (change: Asked) => setAsked({ ...asked, ...change });
  return (
    <Drawer
      open
      onClose={onClose}
      title={`“${person.alias}”的权限说明`}
      size={narrow ? '100%' : 520}
      extra={<SeeAs asked={{ user: person.id }}>以其权限查看</SeeAs>}
    >
      {error && !things && <FailedState error={error} />}
      {!things && !error && <Skeleton active />}
      {things && (
        <Form layout="vertical" component="div">
          <Form.Item>
            <Segmented<About>
              block
              aria-label="要说明的内容"
              options={['页面', '按钮', '记录']}
              value={about}
              onChange={(next) => {
                setAbout(next);
                setAsked({});
              }}
            />
          </Form.Item>
          {about !== '记录' && (
            <Choice
              label="页面"
              value={asked.menu}
              onChange={(menu) => setAsked({ menu })}
              options={things.pages.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          {about === '按钮' && (
            <Choice
              label="按钮"
              placeholder={page ? '选择按钮' : '请先选择页面'}
              disabled={!page}
              value={asked.code}
              onChange={(code) => put({ code })}
              options={(page?.buttons ?? []).map(({ code, name }) => ({ value: code, label: name }))}
            />
          )}
          {about === '记录' && (
            <>
              <Choice
                label="类别"
                value={asked.kind}
                onChange={(kind) => setAsked({ kind })}
                options={things.kinds.map(({ key, name }) => ({ value: key, label: name }))}
              />
              {asked.kind && (
                <Form.Item label="记录" htmlFor="explain-record" extra="只列出您自己能看到的记录">
                  <RecordPicker
                    key={asked.kind}
                    kind={asked.kind}
                    value={asked.record}
                    onChange={(record) => put({ record })}
                  />
                </Form.Item>
              )}
            </>
          )}
          {whole ? <Answer id={person.id} asked={asked} /> : null}
        </Form>
      )}
    </Drawer>
  );
}

/** One of a few things, found by its name. */
function Choice<T extends string | number>({ label, ...select }: { label: string } & SelectProps<T>) {
  const id = useId();
  return (
    <Form.Item label={label} htmlFor={id}>
      <Select<T> id={id} showSearch={{ optionFilterProp: 'label' }} placeholder={`选择${label}`} {...select} />
    </Form.Item>
  );
}

function RecordPicker(props: { kind: string; value: number | undefined; onChange: (id: number | undefined) => void }) {
  const searching = useSearching();
  const query = { kind: props.kind, words: searching.search };
  const { data = [], isFetching } = useCall(explainCalls.records, { query }, { placeholderData: keepPreviousData });
  return (
    <SearchSelect
      id="explain-record"
      searching={searching}
      hint="可换标题或编号再试"
      placeholder="输入标题或编号"
      loading={isFetching}
      value={props.value}
      onChange={(id) => props.onChange(id as number | undefined)}
      options={data.map((one) => ({ value: one.id, label: one.sn ? `${one.sn} ${one.title}` : one.title }))}
    />
  );
}

function Answer({ id, asked }: { id: number; asked: Asked }) {
  const { data, error } = useCall(explainCalls.explain, { params: { id }, query: asked });
  if (error) return <FailedState error={error} />;
  if (!data) return <Skeleton active paragraph={{ rows: 2 }} />;
  return (
    <Alert
      showIcon
      role="status"
      type={data.allowed ? 'success' : 'warning'}
      title={data.says}
      description={
        <ul className="people-reasons">
          {[...data.reasons, ...data.now].map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      }
    />
  );
}
