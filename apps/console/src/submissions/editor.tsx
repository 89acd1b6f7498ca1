import {
  addSubmission,
  correctSubmission,
  newIdempotencyKey,
  SheafError,
  type ErrorDetail,
  type FormItem,
  type FormSettingsDetail,
  type FormVersionDetail,
  type SubmissionDetail,
} from '@sheaf/client';
import { fieldAt, isComputed, isOnPages, keyInItem, labelTextOf } from '@sheaf/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { TextField } from '../parts/fields';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { dayOf, draftsOf, filledIn, type Drafts, type Filled } from './drafts';
import style from './editor.module.css';
import { CalculatedField, EditorField } from './editor-field';
import { fieldsOf, itemFieldsOf, itemName, type AnswerField } from './fields';
import { detailKey, patchRows } from './list-data';
import { noteOwnChanges } from './live';
import { useMadeVersion } from './use-made-version';
import { VersionMissing } from './version-missing';

const DiscardDialog = lazy(() => import('./discard-dialog').then(({ DiscardDialog: component }) => ({ default: component })));

interface EditorProps {
  form: FormSettingsDetail;
  /** The one to correct; none to enter a new one. */
  submission?: SubmissionDetail;
  onClose: () => void;
  onEntered?: (id: string) => void;
}

/** Corrects the answers of a submission under its own version, or enters a submission on somebody's behalf under the current one. */
export function Editor(props: EditorProps) {
  const { form, submission, onClose } = props;
  const say = useWords('submissions');
  const number = submission?.schema_version ?? form.current_version;
  const { version, isMissing, error, refetch } = useMadeVersion(form.id, submission ?? { schema_version: number });
  const isChanged = useRef(false);
  const [isAsking, setIsAsking] = useState(false);
  const cancel = () => {
    if (isChanged.current) setIsAsking(true);
    else onClose();
  };
  return (
    <Dialog title={submission ? say.correct : say.enterSubmission} onClose={cancel} isWide>
      {submission && number !== form.current_version && <p className="muted">{say.correctsUnder(number)}</p>}
      {!submission && <p className="muted">{say.enterHelp}</p>}
      {error && <Problem error={error} onRetry={refetch} />}
      {isMissing && <VersionMissing version={number} />}
      {version ? (
        <EditorForm {...props} version={version} onCancel={cancel} onChange={() => (isChanged.current = true)} />
      ) : (
        !error && !isMissing && <Skeleton />
      )}
      {isAsking && (
        <Suspense>
          <DiscardDialog onClose={() => setIsAsking(false)} onDiscard={onClose} />
        </Suspense>
      )}
    </Dialog>
  );
}

interface EditorFormProps extends EditorProps {
  version: FormVersionDetail;
  onCancel: () => void;
  /** Called when something was typed, which closing would lose. */
  onChange: () => void;
}

function EditorForm({ form, submission, version, onClose, onEntered, onCancel, onChange }: EditorFormProps) {
  const say = useWords('submissions');
  const { cancel } = useWords('everywhere').parts;
  // The language at the beginning: numbers in the controls are written as it writes them.
  const [language] = useState(useLanguage());
  const [drafts, setDrafts] = useState<Drafts>(() => draftsOf(version.fields, submission?.data ?? {}, language));
  const [reason, setReason] = useState('');
  const { send, error, isPending, box } = useSend({ form, submission, onClose, onEntered });
  const faults = useFaults(version, error);
  const today = dayOf(form, submission, new Date());
  const filled = filledIn(version.fields, drafts, { language, today });
  const { answers, hidden, offered, inItems } = filled;
  const shown = new Set(version.fields.flatMap((item) => ('key' in item && !hidden.has(item) ? [item.key] : [])));
  // Faults of what is not here, such as the reason.
  const isElsewhere = error !== undefined && (faults.size === 0 || [...faults.keys()].some((key) => !shown.has(fieldAt(key))));
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void send(answers, reason.trim());
  };
  return (
    <form ref={box} className={style.form} onSubmit={onSubmit} noValidate>
      {version.fields.map((item, index) => {
        if (hidden.has(item)) return null;
        if ('key' in item && isComputed(item))
          return <CalculatedField key={item.key} field={item} answer={answers[item.key]} fault={faults.get(item.key)} />;
        if ('key' in item)
          return (
            <EditorField
              key={item.key}
              form={form.id}
              field={item}
              draft={drafts[item.key]}
              fault={faults.get(item.key)}
              faults={faults}
              offered={offered.get(item)}
              inItems={inItems.get(item.key)}
              onChange={(draft) => {
                setDrafts((before) => ({ ...before, [item.key]: draft }));
                onChange();
              }}
            />
          );
        return (
          item.type !== 'statement' &&
          isOnPages(item) && (
            <h3 key={`element ${index}`} dir="auto">
              {labelTextOf(item)}
            </h3>
          )
        );
      })}
      <FallingAway items={version.fields} filled={filled} />
      {submission && (
        <TextField label={say.reason} help={say.reasonHelp} value={reason} onChange={setReason} maxLength={500} autoComplete="off" />
      )}
      {submission && hasStatus(error, 409) ? <Conflict /> : isElsewhere && <Problem error={error} />}
      {faults.size > 0 && !isElsewhere && (
        <p role="alert" className="fault">
          {say.someFaults(faults.size)}
        </p>
      )}
      <div className={style.foot}>
        <Button onPress={onCancel}>{cancel}</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          {submission ? say.saveCorrection : say.addSubmission}
        </Button>
      </div>
    </form>
  );
}

/** Stands there before it says anything, or screen readers would not read it out. */
function FallingAway(props: { items: readonly FormItem[]; filled: Filled }) {
  const say = useWords('submissions');
  const answers = useFallingAway(props);
  return (
    <div role="status" className={style.status}>
      {answers.length > 0 && (
        <div className={style.notice}>
          <p>{say.fallingAway(answers.length)}</p>
          <ul>
            {answers.map(({ place, label }) => (
              <li key={place} dir="auto">
                {label}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** The answers that will not be kept, also those in the items of repeats. */
function useFallingAway({ items, filled: { fallingAway, hidden, inItems } }: { items: readonly FormItem[]; filled: Filled }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const inItemsOf = (field: AnswerField) =>
    (inItems.get(field.key) ?? []).flatMap((item, at) =>
      item.fallingAway.map((inner) => ({
        place: keyInItem(field.key, at, inner.key),
        label: `${itemName(field, at, formats, say.item)}: ${labelTextOf(inner)}`,
      })),
    );
  return [
    ...fallingAway.map((field) => ({ place: field.key, label: labelTextOf(field) })),
    ...items.flatMap((item) => ('key' in item && !hidden.has(item) ? inItemsOf(item) : [])),
  ];
}

const Conflict = () => {
  const say = useWords('submissions');
  return (
    <p role="alert" className={style.conflict}>
      {say.conflict}
    </p>
  );
};

function useSend({ form, submission, onClose, onEntered }: EditorProps) {
  const say = useWords('submissions');
  const queryClient = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  // The same for each attempt: one whose answer was lost may have stored the submission.
  const [key, setKey] = useState(newIdempotencyKey);
  const correct = async (of: SubmissionDetail, data: Record<string, unknown>, reason: string) => {
    const body = { data, revision: of.revision, ...(reason === '' ? {} : { reason }) };
    noteOwnChanges([of.id]);
    const corrected = await correctSubmission({ client, path: { id: form.id, subId: of.id }, body });
    patchRows(queryClient, form.id, new Map([[of.id, corrected]]));
    await queryClient.invalidateQueries({ queryKey: detailKey(form.id, of.id) });
    toast({ text: say.correctionSaved });
  };
  const send = async (data: Record<string, unknown>, reason: string) => {
    if (isPending) return;
    setIsPending(true);
    setError(undefined);
    try {
      if (submission) await correct(submission, data, reason);
      else {
        const { id } = await addSubmission({ client, path: { id: form.id }, body: { data }, headers: { 'Idempotency-Key': key } });
        noteOwnChanges([id]);
        toast({ text: say.submissionAdded });
        onEntered?.(id);
      }
      onClose();
    } catch (thrown) {
      setError(thrown);
      // A refusal stored nothing, and other answers need another key.
      if (thrown instanceof SheafError && thrown.status < 500) setKey(newIdempotencyKey());
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus());
    } finally {
      setIsPending(false);
    }
  };
  return { send, error, isPending, box };
}

/** The fault of each answer, in the person's language. */
function useFaults(version: FormVersionDetail, error: unknown): ReadonlyMap<string, string> {
  const language = useLanguage();
  const refusal = error instanceof SheafError && error.status === 400 ? error : undefined;
  const { data } = useQuery({
    queryKey: ['fault-sentences'],
    queryFn: async () => ({ faultText: (await import('./fault-sentences')).faultText }),
    enabled: refusal !== undefined,
    staleTime: 'static',
  });
  if (!refusal) return new Map();
  const fields = new Map(
    fieldsOf(version.fields)
      .flatMap((field) => [field, ...itemFieldsOf(field)])
      .map((field) => [field.key, field]),
  );
  const sentence = (detail: ErrorDetail) => {
    // An answer in an item is at `guests[0].name`.
    const field = fields.get(detail.key.slice(detail.key.lastIndexOf('.') + 1));
    return field && data && detail.code !== undefined
      ? data.faultText(language, { ...detail, code: detail.code, params: detail.params ?? {} }, field)
      : detail.message;
  };
  return new Map(refusal.details.map((detail) => [detail.key, sentence(detail)]));
}
