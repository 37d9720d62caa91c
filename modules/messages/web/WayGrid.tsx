import { Checkbox } from 'antd';
import { events, ways, type MessageEvent, type Way } from '../contract/preference.ts';

export type Chosen = Partial<Record<MessageEvent, Way[]>>;

interface Props {
  id: string | undefined;
  open: readonly Way[];
  value: Chosen;
  /** What holds where nothing is chosen. */
  defaults: Chosen;
  onChange: ((value: Chosen) => void) | undefined;
}

/** Events against ways; the box is always ticked. */
export function WayGrid({ id, open, value, defaults, onChange }: Props) {
  const now = (event: MessageEvent) => value[event] ?? defaults[event] ?? [];
  const tick = (event: MessageEvent, way: Way, on: boolean) => {
    const rest = now(event).filter((one) => one !== way);
    onChange?.({ ...value, [event]: on ? [...rest, way] : rest });
  };
  return (
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
        {(Object.keys(events) as MessageEvent[]).map((event) => (
          <tr key={event}>
            <th scope="row">{events[event]}</th>
            <td>
              <Checkbox checked disabled aria-label={`${events[event]}，站内`} />
            </td>
            {open.map((way) => (
              <td key={way}>
                <Checkbox
                  checked={now(event).includes(way)}
                  aria-label={`${events[event]}，${ways[way]}`}
                  onChange={({ target }) => tick(event, way, target.checked)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
