import { Dropdown } from 'antd';
import type { MenuProps } from 'antd';

export interface Place {
  left: number;
  top: number;
  /** The element that was clicked, to return to. */
  from: HTMLElement;
}

interface Props {
  place: Place;
  items: MenuProps['items'];
  width?: number;
  onPick: (key: string) => void;
  onClose: () => void;
}

/** A menu at a place of the window; closed, the focus goes back to where it was opened from. */
export default function MenuAt({ place, items, width, onPick, onClose }: Props) {
  const close = () => {
    onClose();
    if (document.activeElement === document.body || document.activeElement?.closest('.ant-dropdown'))
      place.from.focus();
  };
  return (
    <Dropdown
      open
      autoFocus
      trigger={['click']}
      {...(width !== undefined && { styles: { root: { width } } })}
      onOpenChange={(open) => open || close()}
      menu={{
        items,
        onClick: ({ key }) => {
          close();
          onPick(key);
        },
      }}
    >
      <span style={{ position: 'fixed', left: place.left, top: place.top, width: 1, height: 1 }} />
    </Dropdown>
  );
}
