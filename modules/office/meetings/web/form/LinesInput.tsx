import { Input } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Instead } from '#kernel/web/kit/form/fields.ts';
import { RowsInput } from '#kernel/web/kit/form/rows/RowsInput.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { MeetInput } from '../../contract/shapes.ts';

export const materialKinds = '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.png,.jpg,.jpeg';

interface Props {
  control: FieldControl;
  known?: readonly FileCard[] | undefined;
}

/** Topics, each with its reporter and papers. */
export const TopicsInput = ({ control, known = [] }: Props) => (
  <RowsInput
    control={control}
    of={MeetInput.shape.topics}
    instead={{
      files: {
        render: (cell, { title }) => (
          <FilesField
            control={cell}
            label={`${typeof title === 'string' && title !== '' ? `议题“${title}”` : '议题'}的附件`}
            module="meetings"
            accept={materialKinds}
            max={5}
            known={known}
          />
        ),
      },
    }}
    fresh={() => ({ title: '', reporter: '', minutes: null, files: [] })}
    add="添加议题"
  />
);

/** The end of a number that is stored and not shown. */
const columns: Instead = {
  id: null,
  mobile: {
    render: ({ value, onChange, ...rest }, { mobile_tail: tail }) => (
      <Input
        {...rest}
        inputMode="tel"
        placeholder={typeof tail === 'string' ? `尾号 ${tail}` : undefined}
        value={value as string}
        onChange={({ target }) => onChange?.(target.value)}
      />
    ),
  },
};
/** Guests from outside. */
export const GuestsInput = ({ control }: Props) => (
  <RowsInput
    control={control}
    of={MeetInput.shape.guests}
    instead={columns}
    fresh={() => ({ name: '', org: '', mobile: '' })}
    add="添加校外人员"
  />
);
