import { deleteFormExport, type FormExport } from '@sheaf/client';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { noticeEndedSession } from '../api/query-client';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Problem } from '../parts/problem';
import { Badge, type Tone } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { nameIn } from '../words/words';
import { formatNames } from './export-file';
import { save } from '../parts/download';
import { currentExport } from './exports-data';
import style from './list.module.css';
import { isUnfinished } from './unfinished';

interface OwnExportsProps {
  form: string;
  exports: Pick<UseQueryResult<{ data: FormExport[] }>, 'data' | 'error' | 'refetch'>;
  /** The one that was begun last, which takes the focus. */
  begun: string | undefined;
}

/** The exports in the background that the person has asked for: how far they are, their files, and an end to each. Nothing while there are none. */
export function OwnExports({ form, exports: { data, error, refetch }, begun }: OwnExportsProps) {
  const say = useWords('submissions');
  const queryClient = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const [failure, setFailure] = useState<unknown>();
  const [removed, setRemoved] = useState<FormExport>();
  /** Takes the focus of a button that goes with its export. */
  const [next, setNext] = useState<HTMLElement | null>();
  const attempt = (act: () => Promise<unknown>) => {
    setFailure(undefined);
    act().catch((thrown: unknown) => {
      noticeEndedSession(thrown);
      setFailure(thrown);
    });
  };
  const download = async ({ id, name }: FormExport) => {
    const { state } = await currentExport(queryClient, form, id);
    if (state === 'ready') save(fileOf(form, id), name);
  };
  const remove = async ({ id }: FormExport) => {
    const dialog = heading.current?.closest<HTMLElement>('[role=dialog]');
    await deleteFormExport({ client, path: { id: form, exportId: id } }).catch((thrown: unknown) => {
      // Gone already, as it should be.
      if (!hasStatus(thrown, 404)) throw thrown;
    });
    const { data: rest } = await refetch();
    setNext((rest?.data.length ?? 0) > 0 ? heading.current : dialog);
  };
  useEffect(() => {
    // Once the question is gone: until then it keeps the focus.
    if (removed || !next) return;
    next.focus();
    setNext(undefined);
  }, [next, removed]);
  const isRefused = hasStatus(error, 403) || hasStatus(error, 404);
  const shown = isRefused ? [] : (data?.data ?? []);
  // A gateway before these exports has no such list, and a form that is gone is told of elsewhere.
  const told = failure ?? (hasStatus(error, 404) ? null : error);
  if (shown.length === 0 && told === null) return null;
  return (
    <section className={style.ownExports} aria-labelledby="own-exports">
      <h3 id="own-exports" ref={heading} tabIndex={-1}>
        {say.ownExports}
      </h3>
      {told !== null && <Problem error={told} onRetry={() => attempt(refetch)} />}
      {shown.length > 0 && (
        <>
          <ul className={style.exportList}>
            {shown.map((each) => (
              <li key={each.id} ref={each.id === begun ? takeFocus : undefined} tabIndex={-1} className={style.exportItem}>
                <Facts of={each} />
                <div className={style.exportActions}>
                  {each.state === 'ready' && (
                    <Button isSmall icon={Download} aria-label={say.downloadFile(each.name)} onPress={() => attempt(() => download(each))}>
                      {say.download}
                    </Button>
                  )}
                  <Button
                    isSmall
                    look="quiet"
                    aria-label={isUnfinished(each) ? say.cancelExportOf(each.name) : say.deleteExportOf(each.name)}
                    onPress={() => (each.state === 'ready' ? setRemoved(each) : attempt(() => remove(each)))}
                  >
                    {isUnfinished(each) ? say.cancelOwnExport : say.deleteExport}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
          <p className="muted">{say.ownExportsHelp}</p>
        </>
      )}
      {removed && (
        <ConfirmDialog
          title={say.deleteExportTitle}
          submitLabel={say.deleteExport}
          onSubmit={() => remove(removed)}
          onClose={() => setRemoved(undefined)}
        >
          {say.deleteExportHelp}
        </ConfirmDialog>
      )}
    </section>
  );
}

const fileOf = (form: string, id: string) => `/app/v1/forms/${encodeURIComponent(form)}/exports/${encodeURIComponent(id)}/file`;

/** The same function for each rendering: React calls it when the item comes, and not whenever its progress changes. */
const takeFocus = (item: HTMLElement | null) => item?.focus();

const tones: Readonly<Record<string, Tone>> = { running: 'active', ready: 'good', failed: 'bad', waiting: 'waiting' };

function Facts({ of: { format, state, name, created_at: askedAt, ...of } }: { of: FormExport }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const quarter = state === 'running' ? Math.floor(shareOf(of) * 4) / 4 : 0;
  return (
    <div className={style.exportFacts}>
      {/* Read aloud when the state changes, and at each quarter: counts that change every few seconds would drown out all else. */}
      <p role="status" className={style.exportHead}>
        <strong>{nameIn(formatNames, format)}</strong> <Badge tone={tones[state] ?? 'neutral'}>{nameIn(say.exportStates, state)}</Badge>
        {quarter > 0 && <span className="visually-hidden">{formats.percent(quarter)}</span>}
      </p>
      <p className="muted">
        <bdi>{name}</bdi>
        {' · '}
        <time dateTime={askedAt} title={formats.exact(askedAt)}>
          {say.exportAsked(formats.since(askedAt))}
        </time>
      </p>
      <More state={state} of={of} />
    </div>
  );
}

const shareOf = ({ done, total }: Pick<FormExport, 'done' | 'total'>) =>
  total === undefined || total === 0 ? 0 : Math.min(1, done / total);

/** The rest about an export: its progress, its file, or the reason why it has none. */
function More({ state, of }: { state: string; of: Pick<FormExport, 'done' | 'total' | 'size' | 'expires_at' | 'reason'> }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const { done, total, size, expires_at: expiresAt, reason = 'failed' } = of;
  if (state === 'running')
    return (
      <p className={style.exportProgress}>
        <progress aria-label={say.exporting} {...(total === undefined ? {} : { value: shareOf(of) })} />
        <span>
          {total === undefined
            ? say.exportedSoFar(formats.number(done))
            : say.exportedOf(formats.number(done), formats.number(Math.max(done, total)))}
        </span>
      </p>
    );
  if (state === 'ready') return <p>{say.exportReady(size === undefined ? undefined : formats.bytes(size), formats.dateTime(expiresAt))}</p>;
  if (state === 'failed') return <p>{nameIn(say.exportFailures, Object.hasOwn(say.exportFailures, reason) ? reason : 'failed')}</p>;
  if (state === 'erased') return <p>{say.exportErased}</p>;
  return null;
}
