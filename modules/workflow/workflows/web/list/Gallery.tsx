import { Input, Segmented } from 'antd';
import { useState } from 'react';
import { useFinds } from '#kernel/web/kit/find/useSpelling.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { blank } from '../../engine/gallery/blank.ts';
import { templates } from '../../engine/gallery/templates.ts';
import type { Template } from '../../engine/gallery/vocabulary.ts';
import { Picture } from './Picture.tsx';
import './gallery.css';

const nothing: Template = {
  key: 'blank',
  name: '空白流程',
  about: '一个字段、一级审批',
  category: '',
  icon: '',
  definition: blank('空白流程'),
};
const all = '全部';
const categories = [all, ...new Set(templates.map(({ category }) => category))];

interface Props {
  /** Null: only one step. */
  value: Template | null;
  onChange: (template: Template | null) => void;
}

/** Templates for a new workflow, as pictures: by category, or found by name, purpose or pinyin. */
export default function Gallery({ value, onChange }: Props) {
  const [category, setCategory] = useState(all);
  const [words, setWords] = useState('');
  const finds = useFinds(words);
  const found = templates.filter(
    (one) => (category === all || one.category === category) && finds(one.name, `${one.about} ${one.category}`),
  );
  const shown = category === all && words.trim() === '' ? [nothing, ...found] : found;
  return (
    <section className="kit-stack" aria-label="从模板开始">
      <Input
        type="search"
        allowClear
        placeholder="请输入关键字或拼音"
        aria-label="查找模板"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="flow-categories">
        <Segmented aria-label="模板类别" options={categories} value={category} onChange={setCategory} />
      </div>
      {shown.length === 0 && <EmptyState why={`没有符合“${words.trim()}”的模板，请更换关键字或分类`} />}
      <div className="flow-gallery" role="radiogroup" aria-label="模板">
        {shown.map((one) => (
          <label key={one.key} className="flow-template">
            <input
              type="radio"
              name="template"
              className="unseen"
              checked={(value?.key ?? nothing.key) === one.key}
              onChange={() => onChange(one === nothing ? null : one)}
            />
            <Picture definition={one.definition} />
            <strong>{one.name}</strong>
            <span className="kit-muted">{one.about}</span>
          </label>
        ))}
      </div>
    </section>
  );
}
