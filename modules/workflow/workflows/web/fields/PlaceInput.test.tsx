import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { fieldType } from '../../engine/codes.ts';
import { fieldItem } from '../../engine/field-item.ts';
import { openColumns } from '../../engine/fields/rights.ts';
import { Field } from '../../engine/form.ts';
import { TicketFields } from './TicketFields.tsx';

const server = servedPage();

function Form({ position, kept }: { position: boolean; kept: unknown[] }) {
  const venue = Field.parse({ id: 1, key: 'venue', name: '地点', type: fieldType.place, position });
  const item = fieldItem(venue, 1, { access: 3, columns: openColumns(venue) }, null, '');
  const [edited, setEdited] = useState<Record<string, unknown>>({});
  return (
    <TicketFields
      items={[item]}
      workflow={7}
      edited={edited}
      errors={[]}
      onEdit={(key, value) => {
        kept.push(value);
        setEdited({ [key]: value });
      }}
    />
  );
}

test('a place is typed, or chosen from earlier places and from rooms', async () => {
  server.answers(({ path }) =>
    path === '/api/tickets/places/'
      ? ok(['南校区食堂'])
      : ok({ total: 1, value: [{ building: '综合楼', room_no: '301', name: '第一会议室' }] }),
  );
  const kept: unknown[] = [];
  show(<Form position={false} kept={kept} />);
  const box = screen.getByLabelText('地点');
  expect(server.asked).toEqual([]);
  fireEvent.focus(box);
  fireEvent.mouseDown(box);
  expect(await screen.findByText('南校区食堂')).toBeTruthy();
  fireEvent.click(await screen.findByText('综合楼 301 第一会议室'));
  fireEvent.change(box, { target: { value: '综合楼门口' } });
  fireEvent.change(box, { target: { value: '' } });
  expect(kept).toEqual(['综合楼 301 第一会议室', '综合楼门口', null]);
  expect(screen.queryByRole('button', { name: '我的位置' })).toBe(null);
});

test('a place that requires the position gets the browser’s coordinates, or a sentence why they are missing', async () => {
  const answers: ((found: PositionCallback, failed: PositionErrorCallback) => void)[] = [
    (_found, failed) => failed({ code: 1 } as GeolocationPositionError),
    (found) => found({ coords: { latitude: 22.5431, longitude: 114.05787 } } as GeolocationPosition),
  ];
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: {
      getCurrentPosition: (found: PositionCallback, failed: PositionErrorCallback) => answers.shift()!(found, failed),
    },
  });
  const kept: unknown[] = [];
  show(<Form position kept={kept} />);
  fireEvent.change(screen.getByLabelText('地点'), { target: { value: '工地东门' } });
  fireEvent.click(screen.getByRole('button', { name: '我的位置' }));
  expect(await screen.findByText(/浏览器没有允许本系统读取位置/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '我的位置' }));
  expect(kept).toEqual(['工地东门', '工地东门（北纬 22.54310°，东经 114.05787°）']);
});
