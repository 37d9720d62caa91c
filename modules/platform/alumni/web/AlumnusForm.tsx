import { send as ask } from '#kernel/web/client.ts';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { alumni, type Alumnus } from '../contract.ts';
import { alumnusFields, newAlumnusFields, type Alike } from '../contract/one.ts';

const consents = (values: Record<string, unknown>) => values['consent_sms'] === true;
const instead = {
  consent_at: { kind: 'date', when: consents, needed: true },
  consent_from: { when: consents, needed: true },
  enter_year: { kind: 'number' },
  graduate_year: { kind: 'number' },
} as const;

/** Adds one; possible duplicates are shown first. */
export function AddAlumnus({ onClose }: { onClose: () => void }) {
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={onClose}
      title="新增校友"
      name="alumnus:new"
      call={alumni.add}
      fields={fieldsOf(newAlumnusFields, instead)}
      submit="新增校友"
      ask={(body) => askAlike(body)}
      secret
    />
  );
}

export function ChangeAlumnus({ row, onClose }: { row: Alumnus; onClose: () => void }) {
  const another = ({ name, graduate_year, mobile }: Record<string, unknown>) =>
    name !== row.name || (graduate_year ?? null) !== row.graduate_year || Boolean(mobile);
  return (
    <FormDrawer
      key={`${row.id} ${row.version}`}
      open
      onClose={onClose}
      onDone={onClose}
      title={`编辑校友“${row.name}”`}
      name={`alumnus:${row.id}`}
      call={alumni.change}
      params={{ id: row.id }}
      initial={{ ...row, consent_sms: row.consent_at !== null, mobile: '', without_mobile: false }}
      also={{ version: row.version }}
      fields={fieldsOf(alumnusFields, instead)}
      submit="保存校友"
      ask={async (body) => (another(body) ? askAlike(body, row.id) : null)}
      secret
    />
  );
}

async function askAlike({ name, graduate_year, mobile }: Record<string, unknown>, except?: number) {
  const { data: body } = alumni.alike.body!.safeParse({ name, mobile, graduate_year: graduate_year ?? null, except });
  // If the duplicate check fails, the person can be added all the same.
  const found: readonly Alike[] = body ? await ask(alumni.alike, { body }, { quiet: true }).catch(() => []) : [];
  if (found.length === 0) return null;
  return {
    title: '可能是同一位校友',
    content: (
      <ul>
        {found.map((one) => (
          <li key={one.id}>{lineOf(one)}</li>
        ))}
      </ul>
    ),
  };
}

function lineOf({ name, student_no, college, graduate_year, same_mobile }: Alike): string {
  const more = [student_no, college, graduate_year && `${graduate_year} 届`].filter(Boolean).join('，');
  return `${name}（${more}）：${same_mobile ? '手机号相同' : '姓名和毕业年份相同'}`;
}
