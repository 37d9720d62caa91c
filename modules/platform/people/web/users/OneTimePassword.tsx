import { Alert, Modal } from 'antd';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import '../people.css';

/** A password that is shown only once. */
export function OneTimePassword({
  shown,
  onClose,
}: {
  shown: { who: string; password: string } | null;
  onClose: () => void;
}) {
  return (
    <Modal
      open={shown !== null}
      title={`${shown?.who ?? ''} 的一次性密码`}
      onCancel={onClose}
      onOk={onClose}
      okText="我已保存，关闭"
      cancelButtonProps={{ hidden: true }}
      mask={{ closable: false }}
    >
      <p className="people-password">{shown && <CopyText text={shown.password} />}</p>
      <Alert type="warning" title="密码只显示这一次，关闭后无法再查看；首次登录时须修改" />
    </Modal>
  );
}
