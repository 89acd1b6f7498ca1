import { updateInstanceRetention, type InstanceRetention } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { client } from '../../api/client';
import { retentionQuery } from '../../api/retention';
import { Button } from '../../parts/button';
import { ConfirmDialog } from '../../parts/dialog';
import { TextField } from '../../parts/fields';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Skeleton } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { UpcomingDays } from '../../retention/upcoming-days';
import { useAttempt } from '../../parts/use-attempt';
import { useSession } from '../../session/session';
import { useWords } from '../../words/use-words';
import style from '../../parts/page.module.css';

const kinds = ['trash_days', 'submissions_days', 'files_days'] as const;
type Days = Record<(typeof kinds)[number], number | null>;

/** How long the forms of the instance keep things, unless a form decides for itself. */
export function Retention() {
  const say = useWords('settings').instance;
  const { manages } = useSession().instance;
  const { data, error, isPending, refetch } = useQuery(retentionQuery);
  return (
    <Section title={say.retention} help={say.retentionHelp}>
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <RetentionForm before={data} isReadOnly={!manages} />}
      <p className="muted">{say.retentionHold}</p>
    </Section>
  );
}

/** The days that were typed: null for never, undefined if they are none. */
const parse = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= 36_500 ? days : undefined;
};

function RetentionForm({ before, isReadOnly }: { before: InstanceRetention; isReadOnly: boolean }) {
  const say = useWords('settings').instance;
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const [typed, setTyped] = useState<Partial<Record<keyof Days, string>>>({});
  const [hasSent, setHasSent] = useState(false);
  const [asked, setAsked] = useState<Partial<Days>>();
  const labels: Record<keyof Days, string> = {
    trash_days: say.trashDays,
    submissions_days: say.submissionsDays,
    files_days: say.filesDays,
  };
  const textOf = (kind: keyof Days) => typed[kind] ?? String(before[kind] ?? '');

  const save = async (days: Partial<Days>) => {
    queryClient.setQueryData(retentionQuery.queryKey, await updateInstanceRetention({ client, body: days }));
    setTyped({});
    setHasSent(false);
    toast({ text: say.retentionSaved });
  };
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    setHasSent(true);
    const parsed = kinds.map((kind) => [kind, parse(textOf(kind))] as const);
    if (parsed.some(([, days]) => days === undefined)) return;
    // Only what was changed: the others may have changed elsewhere since this page was loaded.
    const days = Object.fromEntries(parsed.filter(([kind, value]) => value !== (before[kind] ?? null))) as Partial<Days>;
    const isShorter = kinds.some((kind) => kind in days && (days[kind] ?? Infinity) < (before[kind] ?? Infinity));
    if (isShorter) setAsked(days);
    else attempt(() => save(days));
  };
  return (
    <form className={style.narrowForm} onSubmit={send} noValidate>
      {kinds.map((kind) => (
        <TextField
          key={kind}
          label={labels[kind]}
          inputMode="numeric"
          value={textOf(kind)}
          onChange={(text) => setTyped({ ...typed, [kind]: text })}
          placeholder={say.forever}
          isReadOnly={isReadOnly}
          autoComplete="off"
          maxLength={5}
          fault={hasSent && parse(textOf(kind)) === undefined ? say.daysWrong : undefined}
        />
      ))}
      {isReadOnly ? (
        <p className="muted">{say.retentionReadOnly}</p>
      ) : (
        <Button type="submit" look="primary">
          {say.saveRetention}
        </Button>
      )}
      <UpcomingDays schedule={before} onUndo={!isReadOnly && ((kind, days) => attempt(() => save({ [kind]: days })))} />
      {asked && (
        <ConfirmDialog title={say.shorterTitle} onClose={() => setAsked(undefined)} submitLabel={say.shorten} onSubmit={() => save(asked)}>
          <p>{say.shorterHelp}</p>
        </ConfirmDialog>
      )}
    </form>
  );
}
