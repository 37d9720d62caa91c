import { Dropdown } from 'antd';
import type { MenuProps } from 'antd';

export interface Place {
  left: number;
  top: number;
  /** The element that was clicked, which gets the focus back. */
  from: HTMLElement;
}

interface Props {
  place: Place;
  items: MenuProps['items'];
  width?: number;
  onPick: (key: string) => void;
  onClose: () => void;
}

/** A menu at a position in the window; when it closes, the focus returns to the element that opened it. */
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
