import { DeleteOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import type { Field } from '../../engine/definition.ts';

type Choice = Field['choices'][number];
interface Props {
  choices: readonly Choice[];
  onChange: (choices: Choice[]) => void;
}

/** The choices of a field: label and stored value. */
export function ChoiceList({ choices, onChange }: Props) {
  const put = (index: number, part: Partial<Choice>) =>
    onChange(choices.map((choice, at) => (at === index ? { ...choice, ...part } : choice)));
  const free = () => {
    const taken = new Set(choices.map((choice) => choice.value));
    let n = choices.length + 1;
    while (taken.has(`c${n}`)) n += 1;
    return `c${n}`;
  };
  return (
    <div className="kit-stack">
      {choices.map((choice, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the value itself is being edited
        <div className="form-choice" key={index}>
          <Input
            aria-label={`选项 ${index + 1} 的文字`}
            placeholder="文字"
            maxLength={100}
            value={choice.label}
            onChange={(event) => put(index, { label: event.target.value })}
          />
          <Input
            aria-label={`选项 ${index + 1} 的值`}
            placeholder="值"
            maxLength={50}
            value={choice.value}
            onChange={(event) => put(index, { value: event.target.value })}
          />
          <Button
            type="text"
            aria-label={`删除选项 ${index + 1}`}
            icon={<DeleteOutlined />}
            onClick={() => onChange(choices.filter((_choice, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          onClick={() => onChange([...choices, { value: free(), label: `选项 ${choices.length + 1}` }])}
        >
          添加选项
        </Button>
      </div>
    </div>
  );
}
