import type { SubmissionDetail } from '@sheaf/client';
import { CircleDot, OctagonAlert, Trash2, UserRound, X } from 'lucide-react';
import { useLayoutEffect, useRef, type Ref } from 'react';
import { Button, IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/menu';
import { useFormats } from '../words/use-formats';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import style from './list.module.css';
import { statuses } from './list-search';
import type { People } from './people';
import { useStatusName } from './status-badge';
import type { Deeds } from './use-deeds';

/** Lists of 500 people are searched by typing the beginning of a name: the menu does that. */
export function StatusMenu({ rows, deeds, ref }: { rows: readonly SubmissionDetail[]; deeds: Deeds; ref?: Ref<HTMLButtonElement> }) {
  const say = useWords('submissions');
  const nameOf = useStatusName();
  return (
    <Menu
      label={say.column_status}
      trigger={
        <Button isSmall icon={CircleDot} {...(ref ? { ref } : {})}>
          {say.setStatus}
        </Button>
      }
    >
      {statuses
        // Only a payment ends or begins this one.
        .filter((status) => status !== 'pending_payment')
        .map((status) => (
          <MenuItem key={status} onAction={() => deeds.setStatus(rows, status)}>
            {nameOf(status)}
          </MenuItem>
        ))}
    </Menu>
  );
}

export function AssignMenu({
  rows,
  deeds,
  people,
  ref,
}: {
  rows: readonly SubmissionDetail[];
  deeds: Deeds;
  people: People;
  ref?: Ref<HTMLButtonElement>;
}) {
  const say = useWords('submissions');
  const { user } = useSession();
  return (
    <Menu
      label={say.column_assignee}
      trigger={
        <Button isSmall icon={UserRound} {...(ref ? { ref } : {})}>
          {say.assign}
        </Button>
      }
    >
      <MenuItem onAction={() => deeds.assign(rows, user.id)}>{say.assignMe}</MenuItem>
      <MenuItem onAction={() => deeds.assign(rows, null)}>{say.assignNobody}</MenuItem>
      {people.list
        .filter(({ id }) => id !== user.id)
        .map(({ id, name }) => (
          <MenuItem key={id} onAction={() => deeds.assign(rows, id)}>
            {name}
          </MenuItem>
        ))}
    </Menu>
  );
}

/** All that the list finds, of which `rows` may be a part. */
interface Found {
  /** Undefined where it is unknown. */
  total: number | undefined;
  isSelected: boolean;
  onSelect: () => void;
}

interface BulkBarProps {
  rows: readonly SubmissionDetail[];
  deeds: Deeds;
  people: People;
  /** Undefined where every row that is found is selected, or some that are loaded are not. */
  found: Found | undefined;
  onClear: () => void;
  /** Takes the focus once the bar is gone. */
  focusList: () => void;
  statusRef: Ref<HTMLButtonElement>;
  assignRef: Ref<HTMLButtonElement>;
}

/** Keeps the focus where it was when what had it goes away: in the bar, or else in the list. */
function useKeptFocus(focusList: () => void) {
  const bar = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    isInside.current = bar.current !== null;
    if (bar.current) bar.current.focus();
    else focusList();
  });
  return {
    ref: bar,
    tabIndex: -1,
    // React tells of the menus as well, which stand elsewhere in the page.
    onFocus: () => (isInside.current = true),
    // React does not tell of what it removes itself.
    onBlur: () => (isInside.current = false),
  };
}

/** The actions on the submissions that are selected. */
export function BulkBar({ rows, deeds, people, found, onClear, focusList, statusRef, assignRef }: BulkBarProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const kept = useKeptFocus(focusList);
  const { progress } = deeds;
  if (progress)
    return (
      <div {...kept} className={style.bulk} role="region" aria-label={say.selection}>
        <progress value={progress.done} max={progress.total} aria-label={say.working} />
        <span>{say.doneOf(progress.done, progress.total)}</span>
        <Button isSmall onPress={deeds.cancel}>
          {say.stop}
        </Button>
      </div>
    );
  if (rows.length === 0) return null;
  const total = found?.total === undefined ? undefined : formats.number(found.total);
  const act = (deed: (rows: readonly SubmissionDetail[]) => void) => () => {
    deed(rows);
    onClear();
  };
  return (
    <div {...kept} className={style.bulk} role="region" aria-label={say.selection}>
      <span>{found?.isSelected ? say.selectedFound(total) : say.selected(rows.length)}</span>
      {found && !found.isSelected && (
        <Button isSmall look="quiet" onPress={found.onSelect}>
          {say.selectFound(total)}
        </Button>
      )}
      <StatusMenu rows={rows} deeds={deeds} ref={statusRef} />
      <AssignMenu rows={rows} deeds={deeds} people={people} ref={assignRef} />
      <Button isSmall icon={OctagonAlert} onPress={act(deeds.spam)}>
        {say.markAsSpam}
      </Button>
      <Button isSmall icon={Trash2} onPress={act(deeds.trash)}>
        {say.moveToTrash}
      </Button>
      <IconButton isSmall icon={X} label={say.clearSelection} onPress={onClear} />
    </div>
  );
}
