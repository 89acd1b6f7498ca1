import type { FormSettingsDetail, SubmissionDetail } from '@sheaf/client';
import { referenceOf } from '@sheaf/contracts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Ellipsis, Link2, OctagonAlert, Pencil, Printer, Trash2, X } from 'lucide-react';
import { useEffect, useRef, type Ref } from 'react';
import { hasStatus } from '../api/problem-sentence';
import { mayEdit } from '../form/form';
import { IconButton } from '../parts/button';
import { Menu, MenuItem, MenuSeparator } from '../parts/menu';
import { Problem } from '../parts/problem';
import { Badge, Skeleton } from '../parts/states';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { AnswerList } from './answer-list';
import { AssignMenu, StatusMenu } from './bulk-bar';
import { detailQuery } from './list-data';
import { Notes } from './notes';
import style from './panel.module.css';
import type { People } from './people';
import { StatusBadge } from './status-badge';
import { Payment, Timeline } from './timeline';
import type { Deeds } from './use-deeds';
import { useMadeVersion } from './use-made-version';
import { VersionMissing } from './version-missing';

export interface PanelProps {
  form: FormSettingsDetail;
  id: string;
  /** As the list shows it, until all of it is there. */
  row: SubmissionDetail | undefined;
  people: People;
  deeds: Deeds;
  onClose: () => void;
  /** To the submission before or after; undefined at the end of the list. */
  onBefore: (() => void) | undefined;
  onAfter: (() => void) | undefined;
  onCorrect: (submission: SubmissionDetail) => void;
  statusRef: Ref<HTMLButtonElement>;
  assignRef: Ref<HTMLButtonElement>;
}

/** One submission beside the list. */
export function Panel(props: PanelProps) {
  const { form, id, row, onClose, onBefore, onAfter } = props;
  const say = useWords('submissions');
  const { close } = useWords('everywhere').parts;
  const panel = useRef<HTMLElement>(null);
  const { data = row, error, refetch } = useQuery(detailQuery(form.id, id));
  // The focus goes into a submission that is opened, and stays where it is for a person who steps through the list.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    panel.current?.scrollTo(0, 0);
  }, [id]);
  return (
    <section ref={panel} tabIndex={-1} aria-label={say.submission} className={style.panel}>
      <header className={style.head}>
        <IconButton isSmall icon={ChevronUp} label={say.before} isDisabled={!onBefore} onPress={() => onBefore?.()} />
        <IconButton isSmall icon={ChevronDown} label={say.after} isDisabled={!onAfter} onPress={() => onAfter?.()} />
        <span className={style.grows} />
        {data && <MoreMenu {...props} submission={data} />}
        <IconButton isSmall icon={X} label={close} onPress={onClose} />
      </header>
      {error && (
        <div className={style.section}>
          {hasStatus(error, 404) ? <p role="alert">{say.notInList}</p> : <Problem error={error} onRetry={() => void refetch()} />}
        </div>
      )}
      {data && !hasStatus(error, 404) ? <Content key={id} {...props} submission={data} /> : !error && <Skeleton />}
    </section>
  );
}

type ContentProps = PanelProps & { submission: SubmissionDetail };

function MoreMenu({ form, submission, deeds, onCorrect, onAfter, onClose }: ContentProps) {
  const say = useWords('submissions');
  const { moreActions, copyFailed } = useWords('everywhere').parts;
  const copyLink = () => {
    const address = new URL(location.pathname, location.origin);
    address.searchParams.set('open', submission.id);
    if (!('clipboard' in navigator)) return toast({ text: copyFailed });
    navigator.clipboard.writeText(address.href).then(
      () => toast({ text: say.linkCopied }),
      () => toast({ text: copyFailed }),
    );
  };
  const isEditor = mayEdit(form);
  /** A submission that leaves the list makes way for the next one. */
  const leaveBy = (deed: (rows: readonly SubmissionDetail[]) => void) => () => {
    (onAfter ?? onClose)();
    deed([submission]);
  };
  return (
    <Menu label={moreActions} trigger={<IconButton isSmall icon={Ellipsis} label={moreActions} />}>
      {isEditor && (
        <MenuItem icon={Pencil} onAction={() => onCorrect(submission)}>
          {say.correct}
        </MenuItem>
      )}
      <MenuItem icon={Printer} onAction={() => requestAnimationFrame(() => print())}>
        {say.print}
      </MenuItem>
      <MenuItem icon={Link2} onAction={copyLink}>
        {say.copyLink}
      </MenuItem>
      {isEditor && <MenuSeparator />}
      {isEditor && (
        <MenuItem icon={OctagonAlert} onAction={leaveBy(deeds.spam)}>
          {say.markAsSpam}
        </MenuItem>
      )}
      {isEditor && (
        <MenuItem icon={Trash2} isDanger onAction={leaveBy(deeds.trash)}>
          {say.moveToTrash}
        </MenuItem>
      )}
    </Menu>
  );
}

function Content(props: ContentProps) {
  const { form, submission, people, deeds, statusRef, assignRef } = props;
  const say = useWords('submissions');
  const formats = useFormats();
  const { version, fields, isMissing, ...loading } = useMadeVersion(form.id, submission);
  const { schema_version: number, assignee, language, fill_seconds: fillSeconds } = submission;
  return (
    <>
      <p className={style.paperTitle} dir="auto">
        {form.title}
      </p>
      <div className={style.section}>
        <h2>{formats.dateTime(submission.created_at)}</h2>
        <p className={style.facts}>
          <StatusBadge status={submission.status} />
          {submission.edited && <Badge tone="waiting">{say.edited}</Badge>}
          {number !== form.current_version && <Badge>{say.version(number)}</Badge>}
          {assignee !== undefined && <span>{say.assignedTo(people.nameOf(assignee) ?? say.somebody)}</span>}
          {language !== undefined && <LanguageName tag={language} />}
          {fillSeconds !== undefined && <span className="muted">{say.filledInWithin(formats.duration(fillSeconds))}</span>}
        </p>
        <p className="muted">
          {say.reference} <code dir="ltr">{referenceOf(submission.id)}</code>
        </p>
        {mayEdit(form) && (
          <div className={style.actions}>
            <StatusMenu rows={[submission]} deeds={deeds} ref={statusRef} />
            <AssignMenu rows={[submission]} deeds={deeds} people={people} ref={assignRef} />
          </div>
        )}
      </div>
      <section aria-label={say.answers} className={style.section}>
        <h3>{say.answers}</h3>
        {isMissing && <VersionMissing version={number} />}
        {loading.error && <Problem error={loading.error} onRetry={loading.refetch} />}
        {loading.isPending && <Skeleton />}
        {fields && <AnswerList form={form.id} items={fields} answers={submission.data} />}
      </section>
      {version?.payment && <Payment form={form.id} id={submission.id} />}
      <Notes form={form} id={submission.id} people={people} />
      <Timeline form={form} submission={submission} fields={fields} people={people} />
      <p className={style.id}>
        ID <code>{submission.id}</code>
      </p>
    </>
  );
}

/** A language by its name in the reader's. A tag that a client made up stays as it is. */
function LanguageName({ tag }: { tag: string }) {
  const language = useLanguage();
  let name: string | undefined = tag;
  try {
    name = new Intl.DisplayNames(language, { type: 'language' }).of(tag);
  } catch {
    // Shown as it is.
  }
  return <span className="muted">{name}</span>;
}
