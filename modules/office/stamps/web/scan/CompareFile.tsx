import { Alert } from 'antd';
import { useState } from 'react';

type Compared = { kind: 'same'; what: string } | { kind: 'other' } | { kind: 'cannot' };

/** Compares a file with those of a record, within the browser; nothing is uploaded. */
export function CompareFile({ files }: { files: readonly { what: string; sha256: string }[] }) {
  const [said, setSaid] = useState<Compared | null>(null);
  const compare = async (file: File | undefined) => {
    setSaid(null);
    if (!file) return;
    // Browsers compute hashes only on secure connections.
    if (!('subtle' in crypto)) return setSaid({ kind: 'cannot' });
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const same = files.find((one) => one.sha256 === sha256);
    setSaid(same ? { kind: 'same', what: same.what } : { kind: 'other' });
  };
  return (
    <div className="kit-stack">
      <label>
        核对文件：选择收到的电子文件，与登记的逐一比对，文件不会上传
        <input
          type="file"
          style={{ display: 'block', marginTop: 8 }}
          onChange={(event) => void compare(event.target.files?.[0])}
        />
      </label>
      {said?.kind === 'same' && <Alert type="success" showIcon title={`与登记的一致（${said.what}）`} />}
      {said?.kind === 'other' && <Alert type="error" showIcon title="与登记的不一致：不是原件，或已被改动" />}
      {said?.kind === 'cannot' && (
        <Alert type="warning" showIcon title="浏览器只在安全连接（https）下比对文件，请用手机扫码打开核验页比对" />
      )}
    </div>
  );
}
