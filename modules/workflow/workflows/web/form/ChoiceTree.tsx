import { Input } from 'antd';
import { useState } from 'react';
import { choiceTree, treeText, typedTree, type TreeChoice } from '../../engine/fields/choice-tree.ts';

interface Props {
  choices: readonly TreeChoice[];
  onChange: (choices: TreeChoice[]) => void;
}

/** The choices of a cascade as an indented list, applied when the field loses focus. */
export function ChoiceTree({ choices, onChange }: Props) {
  const kept = treeText(choiceTree(choices));
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <>
      <Input.TextArea
        aria-label="各级选项"
        autoSize={{ minRows: 4, maxRows: 20 }}
        placeholder={'电脑\n  台式机\n  笔记本\n打印机'}
        value={typed ?? kept}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          if (typed !== null && typed !== kept) onChange(typedTree(typed, choices));
          setTyped(null);
        }}
      />
      <div className="kit-muted">一行一个选项，下一级比上一级多缩进两个空格</div>
    </>
  );
}
