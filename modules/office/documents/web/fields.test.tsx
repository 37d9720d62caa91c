import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { namedFields } from '#kernel/web/kit/form/fields.ts';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { documents } from '../contract.ts';
import type { DocumentDetail } from '../contract/shapes.ts';
import { AgencySelect } from './AgencySelect.tsx';
import { EditDocument } from './edit/EditDocument.tsx';
import { OrgInput } from './edit/OrgInput.tsx';
import { TitleInput } from './edit/TitleInput.tsx';
import { useDocumentFields } from './edit/fields.tsx';

const server = servedPage();
const site = (value: object) =>
  server.answers(({ path }) =>
    ok(path.includes('settings/site') ? { value, version: 1 } : { value: { orgs: '', asking: '' }, version: 1 }),
  );

/** The form of a letter with the given values. */
function Asked({ values }: { values: Record<string, unknown> }) {
  const fields = useDocumentFields(1).filter((field) => !field.when || field.when(values));
  const named = namedFields(shapeOf(documents.create.body), fields);
  return <p>{named.map(({ label }) => label).join('、')}</p>;
}

test('a letter’s form asks for its publicity with a reason, and of a request whether a leader wanted it', async () => {
  site({ name: '某某大学', allow_secret: false });
  const { unmount } = show(<Asked values={{ doc_type: 8 }} />);
  expect((await screen.findByText(/公开属性/)).textContent).not.toMatch(/不公开理由|领导交办|密级/);
  unmount();
  show(<Asked values={{ doc_type: 11, publicity: 3 }} />);
  await screen.findByText(/公开属性、不公开理由、领导交办/);
});

test('a secret letter’s form asks for its marks if the site allows secret documents', async () => {
  site({ name: '某某大学', allow_secret: true });
  show(<Asked values={{ secret_level: 1 }} />);
  await screen.findByText(/密级、保密期限、份号/);
});

test('a title is completed with one click while it is typed', () => {
  const Typed = () => {
    const [title, setTitle] = useState('');
    return (
      <TitleInput control={{ id: 'title', value: title, onChange: (next) => setTitle(String(next)) }} docType={8} />
    );
  };
  show(<Typed />);
  const box = screen.getByRole<HTMLInputElement>('textbox');
  expect(screen.queryByRole('button')).toBeNull();
  fireEvent.change(box, { target: { value: '期末考试安排' } });
  fireEvent.click(screen.getByRole('button', { name: '补全为“关于期末考试安排的通知”' }));
  expect([box.value, screen.queryByRole('button')]).toEqual(['关于期末考试安排的通知', null]);
});

test('a disabled agency code is shown as such on a letter that has it, and another can be chosen', async () => {
  server.answers(() => ok({ value: [{ id: 2, agency_code: '校办发', scope: '', style: 1, reserved: [] }] }));
  const chosen: unknown[] = [];
  show(<AgencySelect control={{ id: 'code', value: 1, onChange: (next) => chosen.push(next) }} />);
  await screen.findByText('（已停用，请改选）');
  fireEvent.mouseDown(screen.getByRole('combobox'));
  fireEvent.click(await screen.findByTitle('校办发'));
  expect(chosen).toEqual([2]);
});

test('the issuer is chosen from the office’s list, or is the site’s name while the list is empty', async () => {
  site({ name: '某某大学' });
  show(<OrgInput control={{ id: 'org', value: '', onChange: () => {} }} />);
  const box = screen.getByRole('combobox');
  fireEvent.mouseDown(box);
  await screen.findByTitle('某某大学');
  fireEvent.change(box, { target: { value: '随便什么' } });
  await screen.findByText(/请党政办在“类别与字号”的“公文规则”里添加/);
});

test('a handler of an incoming letter may add files, and only the register’s keepers replace its text and scan', async () => {
  site({ name: '某某大学' });
  const letter = {
    id: 3,
    version: 1,
    doc_kind: 2,
    act_state: 1,
    body_sha256: null,
    body_file: null,
    body_html: '',
    attachments: [],
    due_at: null,
    main_send: [],
    copy_send: [],
  };
  const edits = (...actions: string[]) =>
    show(<EditDocument doc={{ ...letter, actions } as unknown as DocumentDetail} onClose={() => {}} />);
  const { unmount } = edits('edit');
  await screen.findByText('办理结果');
  expect([screen.queryByText('附件') === null, screen.queryByText('正文文件')]).toEqual([false, null]);
  unmount();
  edits('edit', 'edit_received');
  await screen.findByText('正文文件');
});
