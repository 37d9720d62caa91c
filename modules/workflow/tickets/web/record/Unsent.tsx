import { Alert, Button } from 'antd';
import type { ReactNode } from 'react';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { KeptFiles } from '#modules/platform/files/widgets.tsx';
import { useCards } from '#modules/platform/people/widgets.tsx';
import { isFileType, isPeopleType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Detail } from '../../contract/shapes.ts';
import type { Beside } from '../actions/asking.ts';
import type { Chosen } from '../fields/Choose.tsx';

interface Props {
  ticket: Detail;
  edited: Readonly<Record<string, unknown>>;
  words: string;
  beside: Beside;
  onDrop: () => void;
}

/** Input that can no longer be sent because somebody was faster: to be copied, or discarded. */
export function Unsent({ ticket, edited, words, beside, onDrop }: Props) {
  const items = ticket.field_list.filter((item) => item.field_attribute === 1 && filled(edited[item.field_key]));
  const ofType = (fits: (type: number) => boolean) =>
    items
      .filter((item) => fits(item.field_type_id))
      .map((item) => ({ ...item, values: [edited[item.field_key]].flat() }));
  const chosen = ticket.choose.length > 0 ? [] : Object.values((edited['choose'] as Chosen | undefined) ?? {}).flat();
  const people = [
    { name: '提到', usernames: beside.mentions },
    ...ofType(isPeopleType).map(({ field_name: name, values }) => ({ name, usernames: values as string[] })),
    { name: '选定的办理人', usernames: chosen },
  ].filter(({ usernames }) => usernames.length > 0);
  const cards = useCards(
    'username',
    people.flatMap(({ usernames }) => usernames),
  );
  const named = (username: string) => cards.find((card) => card.username === username)?.alias ?? username;
  const texts = [
    { name: '意见', text: words },
    ...items
      .filter((item) => !isFileType(item.field_type_id) && !isPeopleType(item.field_type_id))
      .flatMap(({ field_key, field_name: name }) => {
        const text = edited[field_key];
        return typeof text === 'string' ? [{ name, text }] : [];
      }),
    ...people.map(({ name, usernames }) => ({ name, text: usernames.map(named).join('、') })),
  ].filter(({ text }) => text !== '');
  const files = [
    { name: '意见的附件', ids: beside.files },
    ...ofType(isFileType).map(({ field_name: name, values }) => ({ name, ids: values as number[] })),
  ].filter(({ ids }) => ids.length > 0);
  const lines: { name: string; content: ReactNode }[] = [
    ...texts.map(({ name, text }) => ({ name, content: <CopyText text={text} /> })),
    ...files.map(({ name, ids }) => ({ name, content: <KeptFiles ids={ids} /> })),
  ];
  if (lines.length === 0) return null;
  return (
    <Alert
      type="warning"
      title={`您写的内容没有提交，可以复制${files.length > 0 ? '、下载' : ''}后丢弃`}
      description={lines.map(({ name, content }) => (
        <div key={name}>
          {name}：{content}
        </div>
      ))}
      action={
        <Button size="small" onClick={onDrop}>
          丢弃
        </Button>
      }
    />
  );
}

const filled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
