import { CameraOutlined } from '@ant-design/icons';
import { Button } from 'antd';

/** Shows and hides the camera. */
export function CameraButton({ open, onClick, children }: { open: boolean; onClick: () => void; children: string }) {
  return (
    <Button style={{ justifySelf: 'start' }} icon={<CameraOutlined aria-hidden="true" />} onClick={onClick}>
      {open ? '关闭相机' : children}
    </Button>
  );
}
