import { uploadFile } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { Upload, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { Button, IconButton } from '../parts/button';
import { Checkbox, RadioGroup, Select, TextField } from '../parts/fields';
import { useLanguage, useWords } from '../words/use-words';
import type { Draft } from './drafts';
import style from './editor.module.css';
import type { AnswerField } from './fields';
import { FileAnswer, fileKey } from './file-answer';

interface EditorFieldProps {
  form: string;
  field: AnswerField;
  draft: Draft | undefined;
  fault: string | undefined;
  onChange: (draft: Draft) => void;
}

/** The control for an answer. */
export function EditorField(props: EditorFieldProps) {
  const { field, draft = '', fault, onChange } = props;
  const say = useWords('submissions');
  const label = field.required ? say.required(field.label) : field.label;
  const text = typeof draft === 'string' ? draft : '';
  switch (field.type) {
    case 'boolean':
      return (
        <RadioGroup
          label={label}
          fault={fault}
          options={[
            { value: 'true', label: say.yes },
            { value: 'false', label: say.no },
            ...(field.required ? [] : [{ value: '', label: say.noAnswer }]),
          ]}
          value={text}
          onChange={onChange}
        />
      );
    case 'select':
      return (
        <Select
          label={label}
          fault={fault}
          // A React key must not be empty.
          options={[
            ...(field.required ? [] : [{ value: noOption, label: say.noAnswer }]),
            ...field.options.map((option) => ({ value: option.value, label: option.label })),
          ]}
          value={text === '' ? null : text}
          onChange={(value) => onChange(value === noOption ? '' : value)}
          placeholder={say.choose}
        />
      );
    case 'multi_select':
      return <Options {...props} label={label} field={field} />;
    case 'file':
      return <Files {...props} label={label} field={field} />;
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'url':
    case 'phone':
    case 'number':
    case 'integer':
    case 'rating':
    case 'date':
    case 'time':
    case 'datetime':
    case 'hidden':
      return (
        <TextField
          label={label}
          fault={fault}
          value={text}
          onChange={onChange}
          isLong={field.type === 'long_text'}
          autoComplete="off"
          {...controls[field.type]}
        />
      );
  }
}

const noOption = '\u0000';

const controls: Readonly<Record<string, { type?: string; inputMode?: 'decimal' | 'numeric'; placeholder?: string } | undefined>> = {
  number: { inputMode: 'decimal' },
  integer: { inputMode: 'numeric' },
  rating: { inputMode: 'numeric' },
  date: { type: 'date' },
  time: { type: 'time' },
  datetime: { placeholder: '2026-05-31T14:30:00Z' },
};

type OptionField = Extract<AnswerField, { options: unknown }>;
type FileField = Extract<AnswerField, { type: 'file' }>;

function Options({ field, draft = [], fault, label, onChange }: Omit<EditorFieldProps, 'field'> & { field: OptionField; label: string }) {
  const chosen = typeof draft === 'string' ? [] : draft;
  return (
    <fieldset className={style.options} aria-describedby={fault === undefined ? undefined : `${field.key}-fault`}>
      <legend dir="auto">{label}</legend>
      {field.options.map((option) => (
        <Checkbox
          key={option.value}
          isSelected={chosen.includes(option.value)}
          onChange={(isSelected) => onChange(isSelected ? [...chosen, option.value] : chosen.filter((each) => each !== option.value))}
        >
          <span dir="auto">{option.label}</span>
        </Checkbox>
      ))}
      {fault !== undefined && (
        <p id={`${field.key}-fault`} className={style.fault}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** Files are uploaded at once, as respondents do it; those that no submission takes are removed by themselves. */
function Files({ form, field, draft = [], fault, label, onChange }: Omit<EditorFieldProps, 'field'> & { field: FileField; label: string }) {
  const say = useWords('submissions');
  const language = useLanguage();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string>();
  const ids = typeof draft === 'string' ? [] : draft;
  const isFull = field.multiple !== true && ids.length > 0;
  const upload = async (file: File) => {
    setIsPending(true);
    setError(undefined);
    try {
      const uploaded = await uploadFile({ client, path: { form }, query: { field: field.key }, body: { file } });
      queryClient.setQueryData(fileKey(form, uploaded.file_id), { name: uploaded.name, type: uploaded.content_type, size: uploaded.size });
      onChange([...ids, uploaded.file_id]);
    } catch (thrown) {
      setError(problemSentence(thrown, language).title);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <fieldset className={style.options}>
      <legend dir="auto">{label}</legend>
      {ids.map((id) => (
        <div key={id} className={style.file}>
          <FileAnswer form={form} id={id} />
          <IconButton isSmall icon={X} label={say.removeFile} onPress={() => onChange(ids.filter((each) => each !== id))} />
        </div>
      ))}
      {!isFull && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            accept={field.accept?.join(',')}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void upload(file);
              target.value = '';
            }}
          />
          <Button
            isSmall
            icon={Upload}
            isPending={isPending}
            onPress={() => input.current?.click()}
            aria-label={say.chooseFileFor(field.label)}
          >
            {say.chooseFile}
          </Button>
        </>
      )}
      {(fault ?? error) !== undefined && (
        <p role="alert" className={style.fault}>
          {fault ?? error}
        </p>
      )}
    </fieldset>
  );
}
