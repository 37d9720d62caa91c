import { Alert, App, Button, Form, Input, Segmented, Select, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { yearOf } from '#kernel/contract/moment.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { counted } from '#kernel/web/kit/form/parts/counted.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { SheetDialog } from '#kernel/web/kit/SheetDialog.tsx';
import { calendarImport, calendars, isProvisional, provisionalText, yearStates } from '../contract.ts';

const thisYear = yearOf(new Date());
const years = Array.from({ length: 4 }, (_, index) => thisYear - 1 + index);

/** Holidays and make-up days of a year, with the organisation's own days. */
export function CalendarPanel() {
  const [year, setYear] = useState(thisYear);
  const { data, error, refetch } = useCall(calendars.year, { query: { year } });
  const may = usePermission();
  const [importing, setImporting] = useState(false);
  return (
    <section className="kit-panel" aria-label="工作日历">
      <div className="kit-row">
        <h2 className="kit-grow" style={{ margin: 0, fontSize: 15 }}>
          工作日历
        </h2>
        <Select
          aria-label="年份"
          className="kit-filter"
          value={year}
          onChange={setYear}
          options={years.map((value) => ({ value, label: `${value} 年` }))}
        />
      </div>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <>
          <p className="kit-muted">
            全年 {data.workdays} 个工作日，每天 {data.office_hours}；办理时限、请假、值班和会议室开放都按此计算。
            放假安排：{yearStates[data.state]}。
          </p>
          {isProvisional(data.state) && (
            <Alert type="warning" showIcon title={provisionalText(String(year), data.state)} />
          )}
          <div className="kit-row">
            <CallButton call={calendars.propose} asked={{ params: { year } }} allowed={data.state === 'unknown'}>
              生成放假建议稿
            </CallButton>
            <CallButton call={calendars.confirm} asked={{ params: { year } }} allowed={data.state === 'proposed'}>
              确认建议稿
            </CallButton>
            <CallButton call={calendars.discard} asked={{ params: { year } }} allowed={data.state === 'proposed'}>
              撤销建议稿
            </CallButton>
            {may('Update') && <Button onClick={() => setImporting(true)}>导入全年放假安排</Button>}
          </div>
          {importing && (
            <SheetDialog
              of={calendarImport}
              hint="写明一年里每个放假的日子和调休上班的日子，可另含上一年 12 月的；替换这一年的建议稿和以前导入的安排，逐日调整的保留。"
              refreshes={['calendars']}
              onClose={() => setImporting(false)}
            />
          )}
          {may('Update') && <OwnDay year={year} />}
          <ul className="kit-cards">
            {data.value.map((day) => (
              <li key={day.day} className="kit-row">
                <span className="kit-figures">{day.day}</span>
                <Tag color={day.works ? 'processing' : 'success'}>{day.works ? '上班' : '休息'}</Tag>
                <span className="kit-grow">
                  {day.name}
                  {day.source === 'own' && '（本单位）'}
                  {day.source === 'proposed' && '（建议）'}
                </span>
                <CallButton
                  call={calendars.clearDay}
                  asked={{ params: { day: day.day } }}
                  allowed={day.source !== 'announced'}
                  size="small"
                >
                  恢复统一安排
                </CallButton>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function OwnDay({ year }: { year: number }) {
  const { message } = App.useApp();
  const [form] = Form.useForm<{ day: string; kind: 'rest' | 'work'; name: string }>();
  const sending = useSend(calendars.setDay, {
    onSuccess: () => {
      form.resetFields();
      void message.success(calendars.setDay.message);
    },
  });
  return (
    <Form
      form={form}
      layout="inline"
      initialValues={{ kind: 'rest', name: '' }}
      onFinish={({ day, kind, name }) => sending.mutate({ params: { day }, body: { works: kind === 'work', name } })}
    >
      <Form.Item name="day" label="日期" rules={[{ required: true, message: '请选择日期' }]}>
        <Day year={year} />
      </Form.Item>
      <Form.Item name="kind" label="安排">
        <Segmented
          aria-label="当天"
          options={[
            { value: 'rest', label: '休息' },
            { value: 'work', label: '上班' },
          ]}
        />
      </Form.Item>
      <Form.Item name="name" label="说明" rules={[{ required: true, whitespace: true, message: unfilled }]}>
        <Input {...counted(30)} placeholder="例如：校庆" />
      </Form.Item>
      <Button htmlType="submit" loading={sending.isPending}>
        调整这一天
      </Button>
    </Form>
  );
}

function Day({ year, id, value, onChange }: FieldControl & { year: number }) {
  return (
    <DateInput
      kind="date"
      only
      allowClear
      id={id}
      min={`${year}-01-01`}
      value={value as string | undefined}
      onChange={(next) => onChange?.(next)}
    />
  );
}
