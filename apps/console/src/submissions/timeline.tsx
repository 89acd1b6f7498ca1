import {
  getSubmissionActivity,
  getSubmissionHistory,
  getSubmissionPayment,
  getSubmissionRevision,
  listDeliveries,
  listSubmissionRevisions,
  type FormSettingsDetail,
  type FormItem,
  type SubmissionDeed,
  type SubmissionDetail,
  type SubmissionRevision,
} from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { Skeleton, Since } from '../parts/states';
import { DeliveryState } from '../webhooks/delivery-state';
import { pollWhilePending } from '../webhooks/pending';
import { useLanguage, useWords } from '../words/use-words';
import { AnswerList } from './answer-list';
import { detailKey } from './list-data';
import { useNotes } from './notes';
import style from './panel.module.css';
import { actorName, type People } from './people';
import { useStatusName } from './status-badge';

/** More than these are in the log of the form. */
const maxDeliveries = 50;

interface TimelineProps {
  form: FormSettingsDetail;
  submission: SubmissionDetail;
  /** Of the version that it was made against, once they are loaded. */
  fields: readonly FormItem[] | undefined;
  people: People;
}

interface Entry {
  key: string;
  at: string;
  text: ReactNode;
  more?: ReactNode;
}

/** The history of a submission, the newest first. */
export function Timeline({ form, submission, fields, people }: TimelineProps) {
  const say = useWords('submissions');
  const statusName = useStatusName();
  const path = { id: form.id, subId: submission.id };
  const key = detailKey(form.id, submission.id);
  const history = useQuery({
    queryKey: [...key, 'history'],
    queryFn: ({ signal }) => getSubmissionHistory({ client, path, signal }),
  });
  const activity = useQuery({
    queryKey: [...key, 'activity'],
    queryFn: ({ signal }) => getSubmissionActivity({ client, path, signal }),
  });
  const revisions = useQuery({
    queryKey: [...key, 'revisions'],
    queryFn: ({ signal }) => listSubmissionRevisions({ client, path, query: { limit: 100 }, signal }),
    enabled: submission.edited,
  });
  const deliveries = useDeliveries(form.id, submission.id);
  const { notes } = useNotes(form.id, submission.id);
  const parts = [history, activity, revisions, deliveries];
  const deedOf = ({ kind, assignee, actor }: SubmissionDeed): string => {
    const name = actorName(actor, people, say);
    if (kind === 'marked_as_spam') return say.markedAsSpamBy(name);
    if (kind === 'released') return say.releasedBy(name);
    if (kind === 'looked_up') return say.lookedUpBy(name);
    return assignee === undefined ? say.unassignedBy(name) : say.assignedBy(name, people.nameOf(assignee) ?? say.anotherPerson);
  };
  const failed = parts.find(({ error }) => error);
  const entries: Entry[] = [
    {
      key: 'received',
      at: submission.created_at,
      text: submission.entered_by ? say.enteredBy(actorName(submission.entered_by, people, say)) : say.submitted,
    },
    ...(history.data?.data ?? [])
      .filter(({ from }) => from !== undefined)
      .map(({ from = '', to, actor, at }, index) => ({
        key: `status ${index}`,
        at,
        text: say.statusChanged(actorName(actor, people, say), statusName(from), statusName(to)),
      })),
    ...(activity.data?.data ?? []).map((deed, index) => ({ key: `deed ${index}`, at: deed.at, text: deedOf(deed) })),
    ...(notes ?? []).map(({ id, author, created_at: at }) => ({
      key: `note ${id}`,
      at,
      text: say.noteWritten(actorName(author, people, say)),
    })),
    ...(revisions.data?.data ?? []).map((revision) => ({
      key: `revision ${revision.number}`,
      at: revision.changed_at,
      text: say.corrected(actorName(revision.changed_by, people, say)),
      more: <Revision form={form} submission={submission} revision={revision} fields={fields} />,
    })),
    ...(deliveries.data?.data ?? []).map(({ id, url, state, created_at: at }) => ({
      key: id,
      at,
      text: (
        <>
          <Link to="/console/forms/$form/webhooks" params={{ form: form.id }} search={{ submission: submission.id, delivery: id }}>
            {say.sentTo(new URL(url).host)}
          </Link>{' '}
          <DeliveryState state={state} />
        </>
      ),
    })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return (
    <section aria-label={say.activity} className={style.section}>
      <h3>{say.activity}</h3>
      {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      <ol className={style.timeline}>
        {entries.map((entry) => (
          <li key={entry.key}>
            <p>
              {entry.text}{' '}
              <span className="muted">
                <Since time={entry.at} />
              </span>
            </p>
            {entry.more}
          </li>
        ))}
      </ol>
      {deliveries.data?.next_cursor && (
        <Link to="/console/forms/$form/webhooks" params={{ form: form.id }} search={{ submission: submission.id }}>
          {say.allDeliveries}
        </Link>
      )}
    </section>
  );
}

/** The deliveries of a submission to webhooks, the newest first. */
const useDeliveries = (form: string, submission: string) =>
  useQuery({
    // Under the deliveries of the form: a change on them makes these stale too.
    queryKey: ['form', form, 'deliveries', 'of', submission],
    queryFn: ({ signal }) =>
      listDeliveries({ client, path: { id: form }, query: { submission_id: submission, limit: maxDeliveries }, signal }),
    refetchInterval: ({ state: { data } }) => pollWhilePending(data?.data),
  });

function Revision({ form, submission, revision, fields }: Omit<TimelineProps, 'people'> & { revision: SubmissionRevision }) {
  const say = useWords('submissions');
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [...detailKey(form.id, submission.id), 'revisions', revision.number],
    queryFn: ({ signal }) =>
      getSubmissionRevision({ client, path: { id: form.id, subId: submission.id, number: String(revision.number) }, signal }),
    enabled: isOpen,
    staleTime: 'static',
  });
  return (
    <>
      {revision.reason !== undefined && (
        <p dir="auto" className={style.quote}>
          {revision.reason}
        </p>
      )}
      <Button isSmall look="quiet" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
        {isOpen ? say.hideEarlier : say.showEarlier}
      </Button>
      {isOpen && error && <Problem error={error} onRetry={() => void refetch()} />}
      {isOpen && data && fields && (
        <div className={style.earlier}>
          <AnswerList form={form.id} items={fields} answers={data.data} />
        </div>
      )}
    </>
  );
}

/** The payment for a submission, and whether it was made. */
export function Payment({ form, id }: { form: string; id: string }) {
  const say = useWords('submissions');
  const language = useLanguage();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...detailKey(form, id), 'payment'],
    queryFn: async ({ signal }) => {
      try {
        return await getSubmissionPayment({ client, path: { id: form, subId: id }, signal });
      } catch (thrown) {
        // Submissions that a member entered have none.
        if (hasStatus(thrown, 404)) return null;
        throw thrown;
      }
    },
  });
  if (data === null) return null;
  const states: Readonly<Record<string, string | undefined>> = {
    requires_checkout: say.payment_requires_checkout,
    open: say.payment_open,
    processing: say.payment_processing,
    paid: say.payment_paid,
    failed: say.payment_failed,
    expired: say.payment_expired,
  };
  return (
    <section aria-label={say.payment} className={style.section}>
      <h3>{say.payment}</h3>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={1} />}
      {data && (
        <p>
          {money(data.amount, data.currency, language)} · {states[data.state] ?? data.state}
          {data.reference !== undefined && (
            <>
              {' · '}
              {data.provider} <code>{data.reference}</code>
            </>
          )}
        </p>
      )}
    </section>
  );
}

function money(amount: number, currency: string, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
