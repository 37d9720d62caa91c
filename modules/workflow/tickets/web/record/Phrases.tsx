import { Button, Popover } from 'antd';
import { useState } from 'react';
import { charactersIn } from '#kernel/contract/words/cut.ts';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { useTakingOut } from '#kernel/web/kit/press/undo.tsx';

const usual = ['同意', '情况属实，同意办理', '请补充说明后再提交'];
const max = 20;
const longest = 60;

interface Props {
  /** The typed text, which may be saved as a phrase. */
  typed: string;
  onPick: (phrase: string) => void;
  disabled?: boolean | undefined;
}

/** One's own phrases, stored on the server: choose one, save the typed text, delete one. */
export function Phrases({ typed, onPick, disabled }: Props) {
  const [phrases, save] = usePreference<string[]>('phrases', usual);
  const [open, setOpen] = useState(false);
  const takeOut = useTakingOut<string>('phrases');
  const words = typed.trim();
  const fresh = words !== '' && charactersIn(words) <= longest && !phrases.includes(words);
  const panel = (
    <div className="kit-views" role="dialog" aria-label="常用语">
      {phrases.length === 0 && <p className="kit-muted">还没有常用语，写好意见后可以存下来</p>}
      <ul>
        {phrases.map((phrase) => (
          <li key={phrase}>
            <Button
              type="text"
              className="ticket-phrase"
              aria-label={`填入常用语：${phrase}`}
              onClick={() => {
                onPick(phrase);
                setOpen(false);
              }}
            >
              {phrase}
            </Button>
            <Button
              type="text"
              aria-label={`删除常用语：${phrase}`}
              onClick={() => takeOut(phrases, phrase, '已删除一条常用语')}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      {fresh && (
        <Button block onClick={() => save([words, ...phrases].slice(0, max))}>
          把这条意见存为常用语
        </Button>
      )}
    </div>
  );
  return (
    <Popover trigger="click" placement="topLeft" content={panel} open={open} onOpenChange={setOpen}>
      <Button type="dashed" aria-haspopup="dialog" disabled={disabled}>
        常用语
      </Button>
    </Popover>
  );
}
