import { ArrowDown, ArrowUp } from 'lucide-react';
import { Button, IconButton } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Checkbox, RadioGroup } from '../parts/fields';
import { useWords } from '../words/use-words';
import { fillTime, isShown, moved, noLayout, toggled, type Column } from './columns';
import style from './list.module.css';
import type { ViewSettings } from './view-settings';

interface ColumnsDialogProps {
  onClose: () => void;
  columns: readonly Column[];
  settings: ViewSettings;
  onChange: (settings: ViewSettings) => void;
}

/** Which columns the list has, in which order, and how high its rows are. */
export function ColumnsDialog({ onClose, columns, settings, onChange }: ColumnsDialogProps) {
  const say = useWords('submissions');
  const { layout, density } = settings;
  const change = (next: typeof layout) => onChange({ ...settings, layout: next });
  const isFixed = (at: number) => !columns[at] || (columns[at].id === fillTime && !isShown(layout, fillTime));
  const nameOf = ({ id, field }: Column) => field?.label ?? say[`column_${id as 'received'}`];
  return (
    <Dialog
      title={say.columns}
      onClose={onClose}
      isDismissable
      footer={<Button onPress={() => change(noLayout)}>{say.resetColumns}</Button>}
    >
      <RadioGroup
        label={say.density}
        options={[
          { value: 'comfortable', label: say.comfortable },
          { value: 'compact', label: say.compact },
        ]}
        value={density}
        onChange={(value) => onChange({ ...settings, density: value })}
      />
      <ol className={style.columnList} aria-label={say.columns}>
        {columns.map((column, index) => {
          const step = (direction: 1 | -1) => {
            const target = columns[index + direction];
            if (target) change(moved(columns, layout, column.id, target.id));
          };
          return (
            <li key={column.id}>
              <Checkbox isSelected={isShown(layout, column.id)} onChange={() => change(toggled(columns, layout, column.id))}>
                <span dir="auto">{nameOf(column)}</span>
              </Checkbox>
              <IconButton
                isSmall
                icon={ArrowUp}
                label={say.moveUp(nameOf(column))}
                isDisabled={isFixed(index - 1) || isFixed(index)}
                onPress={() => step(-1)}
              />
              <IconButton
                isSmall
                icon={ArrowDown}
                label={say.moveDown(nameOf(column))}
                isDisabled={isFixed(index + 1) || isFixed(index)}
                onPress={() => step(1)}
              />
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}
