import { Button, Checkbox } from 'antd';
import { Fragment, useState } from 'react';
import { ways, type Way } from '../contract/kinds.ts';
import type { Chosen, NewsGroupChoice } from '../contract/preference.ts';

interface Props {
  id: string | undefined;
  open: readonly Way[];
  /** The available choices. */
  groups: readonly NewsGroupChoice[];
  value: Chosen;
  /** The defaults without a choice. */
  defaults: Chosen;
  onChange: ((value: Chosen) => void) | undefined;
}

/** Kinds of messages by channels, one switch each; a kind expands to its single events. The box is always ticked. */
export function WayGrid({ id, open, groups, value, defaults, onChange }: Props) {
  const [opened, setOpened] = useState<string>();
  const now = (event: string) => value[event] ?? defaults[event] ?? [];
  const tick = (some: readonly string[], way: Way, on: boolean) =>
    onChange?.({
      ...value,
      ...Object.fromEntries(
        some.map((event) => {
          const rest = now(event).filter((one) => one !== way);
          return [event, on ? [...rest, way] : rest];
        }),
      ),
    });
  const cells = (title: string, some: readonly string[]) => (
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
          {groups.map((group) => {
            const some = group.events.map(({ event }) => event);
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
                  group.events.map(({ event, name }) => (
                    <tr key={event} className="message-event">
                      <th scope="row">{name}</th>
                      {cells(name, [event])}
                    </tr>
                  ))}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      <Button type="link" onClick={() => onChange?.({ ...defaults })}>
        恢复默认
      </Button>
    </>
  );
}
