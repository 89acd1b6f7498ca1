import type { RetentionSchedule, RetentionSetting, UpcomingRetention } from '@sheaf/client';
import { Undo2 } from 'lucide-react';
import { Button } from '../parts/button';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './upcoming-days.module.css';

interface UpcomingDaysProps {
  schedule: RetentionSchedule;
  /** False for those who may not change the days. */
  onUndo: false | ((setting: RetentionSetting, days: number | null) => void);
}

/** Shorter days that are not in force yet: from when on, what they will erase, and how to undo them. */
export function UpcomingDays({ schedule: { in_force: inForce, upcoming }, onUndo }: UpcomingDaysProps) {
  const say = useWords('retention');
  const format = useFormats();
  const changeIn = ({ setting, days, takes_effect_at: at }: UpcomingRetention) => {
    const sentence = { submissions_days: say.submissionsFrom, files_days: say.filesFrom, trash_days: say.trashFrom }[setting];
    return sentence(format.dateTime(at), days, inForce[setting]);
  };
  const lossOf = ({ setting, erases, erases_more: more = false }: UpcomingRetention) => {
    if (erases === undefined) return '';
    if (erases === 0 && !more) return say.erasesNothing;
    const count = more ? say.moreThan(format.number(erases)) : format.number(erases);
    return setting === 'files_days' ? say.erasesFiles(count, erases === 1 && !more) : say.erasesSubmissions(count, erases === 1 && !more);
  };
  return (
    <ul className={style.changes} aria-label={say.upcoming}>
      {upcoming.map((change) => (
        <li key={change.setting}>
          <span>
            {changeIn(change)} {lossOf(change)}
          </span>
          {onUndo && (
            <Button icon={Undo2} aria-label={say.undoWhat(changeIn(change))} onPress={() => onUndo(change.setting, change.undo_days)}>
              {say.undo}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
