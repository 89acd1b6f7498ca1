import type { FormItem } from '@sheaf/client';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { IconButton } from '../parts/button';
import { Checkbox, TextField } from '../parts/fields';
import { useWords } from '../words/use-words';
import { nameIn } from '../words/words';
import { keyOf, type FileColumn } from './export-file';
import { fieldsOf } from './fields';
import style from './list.module.css';

const usual = ['submission_id', 'schema_version', 'status', 'created_at'] as const;
const further = ['reference', 'updated_at', 'assignee', 'notes', 'language', 'entered_by', 'entry_source', 'fill_seconds'] as const;

/** The columns of a file as usual, and after them those that it can have as well. */
export function usualColumns(items: readonly FormItem[]): FileColumn[] {
  const answers = fieldsOf(items).map(({ key }) => `answers.${key}`);
  const column = (isChosen: boolean) => (id: string) => ({ id, isChosen, heading: '' });
  return [...[...usual, ...answers].map(column(true)), ...further.map(column(false))];
}

interface ExportColumnsProps {
  items: readonly FormItem[];
  columns: readonly FileColumn[];
  onChange: (columns: readonly FileColumn[]) => void;
  isDisabled: boolean;
}

/** The columns of a file: which it has, in which order, and under which headings. */
export function ExportColumns({ items, columns, onChange, isDisabled }: ExportColumnsProps) {
  const say = useWords('submissions');
  const labels = new Map(fieldsOf(items).map(({ key, label }) => [`answers.${key}`, label]));
  // A preset may have columns of questions that are gone.
  const nameOf = (id: string) => labels.get(id) ?? keyOf(id) ?? nameIn(say.exportFacts, id);
  const change = (index: number, changed: Partial<FileColumn>) =>
    onChange(columns.map((column, at) => (at === index ? { ...column, ...changed } : column)));
  const swap = (index: number, other: number) => {
    const [column, target] = [columns[index], columns[other]];
    if (column && target) onChange(columns.with(index, target).with(other, column));
  };
  return (
    <>
      <p className="muted">{say.exportColumnsHelp}</p>
      <ol className={style.exportColumns} aria-label={say.columns}>
        {columns.map(({ id, isChosen, heading }, index) => (
          <li key={id}>
            <Checkbox
              aria-label={nameOf(id)}
              isSelected={isChosen}
              onChange={(next) => change(index, { isChosen: next })}
              isDisabled={isDisabled}
            />
            <TextField
              label={say.headingOf(nameOf(id))}
              isLabelHidden
              placeholder={nameOf(id)}
              value={heading}
              onChange={(next) => change(index, { heading: next })}
              maxLength={200}
              isDisabled={isDisabled || !isChosen}
            />
            <IconButton
              isSmall
              icon={ArrowUp}
              label={say.moveUp(nameOf(id))}
              isDisabled={isDisabled || index === 0}
              onPress={() => swap(index, index - 1)}
            />
            <IconButton
              isSmall
              icon={ArrowDown}
              label={say.moveDown(nameOf(id))}
              isDisabled={isDisabled || index === columns.length - 1}
              onPress={() => swap(index, index + 1)}
            />
          </li>
        ))}
      </ol>
    </>
  );
}
