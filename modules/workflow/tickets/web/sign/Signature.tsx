import { Button } from 'antd';
import { Suspense, useState } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';

const SignDrawer = later(() => patiently(() => import('./SignDrawer.tsx')));

/** A handwritten signature as a form field, drawn in a drawer; `module`: whose records own the picture. */
export function Signature({
  module,
  signed,
  onSigned,
}: {
  module: string;
  signed: boolean;
  onSigned: (file: number) => void;
}) {
  const [drawing, setDrawing] = useState(false);
  return (
    <>
      <Button onClick={() => setDrawing(true)}>{signed ? '已签名，重新签名' : '手写签名'}</Button>
      {drawing && (
        <Suspense fallback={null}>
          <SignDrawer
            act="使用"
            module={module}
            onSigned={(file) => {
              onSigned(file);
              setDrawing(false);
            }}
            onClose={() => setDrawing(false)}
          />
        </Suspense>
      )}
    </>
  );
}
