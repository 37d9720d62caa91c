import { Button, Checkbox } from 'antd';
import { Fragment, useState } from 'react';
import { eventGroups, events, eventsOf, ways, type MessageEvent, type Way } from '../contract/preference.ts';

export type Chosen = Partial<Record<MessageEvent, Way[]>>;

interface Props {
  id: string | undefined;
  open: readonly Way[];
  value: Chosen;
  /** What holds where nothing is chosen. */
  defaults: Chosen;
  onChange: ((value: Chosen) => void) | undefined;
}

/** Kinds of news against ways, one switch each; the single events of a kind open behind it. The box is always ticked. */
export function WayGrid({ id, open, value, defaults, onChange }: Props) {
  const [opened, setOpened] = useState<string>();
  const now = (event: MessageEvent) => value[event] ?? defaults[event] ?? [];
  const tick = (some: readonly MessageEvent[], way: Way, on: boolean) =>
    onChange?.({
      ...value,
      ...Object.fromEntries(
        some.map((event) => {
          const rest = now(event).filter((one) => one !== way);
          return [event, on ? [...rest, way] : rest];
        }),
      ),
    });
  const cells = (title: string, some: readonly MessageEvent[]) => (
    <>
      <td>
        <Checkbox checked disabled aria-label={`${title}，站内`} />
      </td>
      {open.map((way) => {
        const on = some.filter((event) => now(event).includes(way)).length;
        return (
          <td key={way}>
            <Checkbox
              checked={on === some.length}
              indeterminate={on > 0 && on < some.length}
              aria-label={`${title}，${ways[way]}`}
              onChange={({ target }) => tick(some, way, target.checked)}
            />
          </td>
        );
      })}
    </>
  );
  return (
    <>
      <table id={id} className="message-ways">
        <thead>
          <tr>
            <th scope="col">事项</th>
            <th scope="col">站内</th>
            {open.map((way) => (
              <th key={way} scope="col">
                {ways[way]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {eventGroups.map((group) => {
            const some = eventsOf(group);
            const shown = opened === group.title;
            return (
              <Fragment key={group.title}>
                <tr>
                  <th scope="row">
                    <button
                      type="button"
                      className="kit-link"
                      aria-expanded={shown}
                      onClick={() => setOpened(shown ? undefined : group.title)}
                    >
                      {group.title}
                      <span className="kit-muted">{` ${some.length} 项 ${shown ? '▴' : '▾'}`}</span>
                    </button>
                  </th>
                  {cells(group.title, some)}
                </tr>
                {shown &&
                  some.map((event) => (
                    <tr key={event} className="message-event">
                      <th scope="row">{events[event]}</th>
                      {cells(events[event], [event])}
                    </tr>
                  ))}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      <Button
        type="link"
        onClick={() =>
          onChange?.(
            Object.fromEntries(Object.keys(events).map((event) => [event, defaults[event as MessageEvent] ?? []])),
          )
        }
      >
        恢复默认
      </Button>
    </>
  );
}
