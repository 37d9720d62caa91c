import { PaperClipOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import type { ShownFile } from './shown-file.ts';

/** The thumbnail of a picture. Its address is valid for minutes: after that it is fetched with the session. */
export function Thumb({ file }: { file: ShownFile }) {
  const address = file.thumb_url ?? file.url;
  const [failed, setFailed] = useState('');
  const [own, setOwn] = useState('');
  useEffect(() => {
    if (failed !== address) return undefined;
    const stop = new AbortController();
    let made = '';
    const fetched = import('./fetch-thumb.ts').then(({ fetchThumb }) => fetchThumb(file.id, stop.signal));
    fetched.then(
      (bytes) => {
        if (!stop.signal.aborted) setOwn((made = URL.createObjectURL(bytes)));
      },
      () => undefined,
    );
    return () => {
      stop.abort();
      setOwn('');
      URL.revokeObjectURL(made);
    };
  }, [failed, address, file.id]);
  if (failed !== address) return <img src={address} alt="" loading="lazy" onError={() => setFailed(address)} />;
  return own ? <img src={own} alt="" /> : <PaperClipOutlined />;
}
