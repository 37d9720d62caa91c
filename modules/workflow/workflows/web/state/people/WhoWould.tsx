import { Form } from 'antd';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { z } from 'zod';
import { useSend } from '#kernel/web/calls.ts';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { releaseCalls } from '../../../contract/release.ts';
import type { State } from '../../../engine/definition.ts';

/** The people who would handle a state as drawn now, for a chosen applicant, and the reasons. */
export function WhoWould({ state }: { state: State }) {
  const { id = '' } = useParams();
  const [applicant, setApplicant] = useState('');
  const asked = useSend(releaseCalls.whoWould, { invalidates: [] });
  const pick = (name: string | undefined) => {
    setApplicant(name ?? '');
    if (name)
      asked.mutate({ params: { id: Number(id) }, body: { applicant: name, state: state as z.output<typeof State> } });
  };
  const { data: found } = asked;
  return (
    <Form.Item label="试查：谁发起时由谁办理" htmlFor="state-would" extra="按现在的人员和上面还没有保存的设置查">
      <PersonPicker id="state-would" value={applicant} onChange={pick} />
      {applicant !== '' && found && (
        <div role="status">
          <p>
            {found.people.length > 0
              ? found.people.map((one) => `${one.alias}（${one.dept_name || '无部门'}）`).join('、')
              : '没有人'}
          </p>
          {found.reasons.map((reason) => (
            <p key={reason} className="kit-muted">
              {reason}
            </p>
          ))}
        </div>
      )}
    </Form.Item>
  );
}
