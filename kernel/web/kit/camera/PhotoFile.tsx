import { Button } from 'antd';
import { useRef } from 'react';

/** Takes a photograph from a file; a phone offers its camera for this, in any context. */
export function PhotoFile({ children, busy, onFile }: { children: string; busy?: boolean; onFile(file: File): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        aria-label={children}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file may be chosen again.
          target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button loading={busy ?? false} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
