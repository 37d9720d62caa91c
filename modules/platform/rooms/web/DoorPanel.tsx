import { Alert, Button, Input } from 'antd';
import { useState } from 'react';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import type { RoomRow } from '../contract/rooms.ts';
import { doorDays, doors } from '../contract/waiting.ts';

/** The address of a door screen: shown once, when it is created. */
export function DoorPanel({ room }: { room: RoomRow }) {
  const [made, setMade] = useState<{ url: string; image: string } | null>(null);
  const asked = { params: { id: room.id } };
  const known = room.door !== null || made !== null;
  return (
    <section className="kit-stack" aria-label="门牌屏">
      <strong>门牌屏</strong>
      <span className="kit-muted">
        {room.door === null
          ? `还没有地址。生成后在门口的平板或显示屏上打开，每 20 秒自动刷新；${doorDays} 天没有屏幕打开的地址自动失效。`
          : room.door.ended
            ? `地址已失效：${doorDays} 天没有屏幕打开过，请更换地址`
            : room.door.last_seen
              ? `最近一次刷新 ${room.door.last_seen.slice(0, 16)}`
              : '已有地址，还没有屏幕打开过'}
      </span>
      <div className="kit-row">
        <CallButton
          call={doors.make}
          asked={asked}
          onDone={setMade}
          {...(known && { confirm: { title: '更换门牌屏地址', content: '原来的地址即刻失效，门口的屏幕须重新打开' } })}
        >
          {known ? '更换地址' : '生成地址'}
        </CallButton>
        <CallButton
          call={doors.end}
          asked={asked}
          allowed={known}
          danger
          confirm={{ title: '停用门牌屏地址', content: '门口的屏幕将不再显示' }}
          onDone={() => setMade(null)}
        >
          停用地址
        </CallButton>
      </div>
      {made && (
        <>
          <Alert type="info" title="地址只显示这一次，请现在在门口的屏幕上打开" />
          <Input aria-label="门牌屏地址" readOnly value={made.url} onFocus={({ target }) => target.select()} />
          <img src={made.image} alt="门牌屏地址的二维码" width={160} height={160} />
          <Button href={made.url} target="_blank" rel="noreferrer">
            在新窗口打开
          </Button>
        </>
      )}
    </section>
  );
}
