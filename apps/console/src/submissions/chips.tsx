import { X } from 'lucide-react';
import { SheafError } from '@sheaf/client';
import type { PressEvent } from 'react-aria-components/Button';
import { serverMessage } from '../api/problem-sentence';
import { Button, IconButton } from '../parts/button';
import { classes } from '../parts/classes';
import { useWords } from '../words/use-words';
import type { Chip } from './filters';
import style from './filters.module.css';
import { parameterAt } from './list-search';

/** The fault that the API finds in a filter. */
export interface FilterFault {
  parameter: string;
  message: string;
}

/** The filter that an answer refuses, if it refuses one. */
export function filterFaultIn(error: unknown): FilterFault | undefined {
  if (!(error instanceof SheafError) || error.status !== 400) return undefined;
  const message = serverMessage(error);
  const parameter = parameterAt(message);
  return parameter === undefined ? undefined : { parameter, message };
}

interface ChipsProps {
  chips: readonly Chip[];
  fault: FilterFault | undefined;
  onEdit: (chip: Chip) => void;
  onRemove: (chip: Chip, isLast: boolean) => void;
  onClear: () => void;
}

/** The filters of the list. The filter itself says what the API refuses. */
export function Chips({ chips, fault, onEdit, onRemove, onClear }: ChipsProps) {
  const say = useWords('submissions');
  if (chips.length === 0) return null;
  /** The focus does not leave with the filter: it goes to the one beside it, and to the list where there is none. */
  const remove = (chip: Chip, { target }: PressEvent) => {
    const item = target.closest('li');
    const beside = [item?.nextElementSibling, item?.previousElementSibling].find((each) => each?.hasAttribute('data-chip'));
    beside?.querySelector<HTMLElement>('button:last-of-type')?.focus();
    onRemove(chip, beside === undefined);
  };
  return (
    <ul className={style.chips} aria-label={say.filters}>
      {chips.map((chip) => {
        const isFaulty = fault !== undefined && chip.names.includes(fault.parameter);
        return (
          <li key={chip.key} className={style.chipItem} data-chip>
            <span className={classes(style.chip, isFaulty && style.isFaulty)}>
              <Button look="quiet" isSmall onPress={() => onEdit(chip)}>
                <span dir="auto" className={style.chipText}>
                  {chip.text}
                </span>
              </Button>
              <IconButton icon={X} isSmall label={say.removeFilter(chip.text)} onPress={(event) => remove(chip, event)} />
            </span>
            {isFaulty && (
              <span role="alert" className={style.fault}>
                {fault.message}
              </span>
            )}
          </li>
        );
      })}
      <li>
        <Button look="quiet" isSmall onPress={onClear}>
          {say.clearFilters}
        </Button>
      </li>
    </ul>
  );
}
