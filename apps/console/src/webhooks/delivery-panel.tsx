import { getDelivery, redeliverDelivery, type DeliveryAttempt, type DeliveryDetail } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Dialog } from '../parts/dialog';
import { Code } from '../parts/page';
import { Problem } from '../parts/problem';
import { Badge, Skeleton } from '../parts/states';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import type { Words } from '../words/words';
import { curlOf } from './curl';
import { DeliveryState } from './delivery-state';
import { eventName } from './event-names';
import { headerLines } from './header-lines';
import style from './webhooks.module.css';
import { Why } from './why';

/** One delivery: the exact bytes, and each attempt with the address and headers that were used then. */
export function DeliveryPanel({
  formId,
  deliveryId,
  isReadOnly,
  onResend,
  onClose,
}: {
  formId: string;
  deliveryId: string;
  isReadOnly: boolean;
  /** Sends everything of this webhook again from this delivery on. */
  onResend: (delivery: DeliveryDetail) => void;
  onClose: () => void;
}) {
  const say = useWords('webhooks');
  const formats = useFormats();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<unknown>();
  const [isSent, setIsSent] = useState(false);
  const key = ['form', formId, 'deliveries', 'one', deliveryId];
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => getDelivery({ client, path: { id: formId, deliveryId }, signal }),
  });
  const redeliver = async () => {
    setFailure(undefined);
    try {
      queryClient.setQueryData(key, await redeliverDelivery({ client, path: { id: formId, deliveryId } }));
      setIsSent(true);
      toast({ text: say.redelivered });
    } catch (thrown) {
      setFailure(thrown);
    }
  };
  const isFinished = data !== undefined && data.state !== 'pending';
  return (
    <Dialog
      title={say.delivery}
      onClose={onClose}
      isWide
      isDismissable
      footer={
        !isReadOnly &&
        data !== undefined && (
          <>
            <Button onPress={() => onResend(data)}>{say.sendFromHere}</Button>
            {/* Once pressed, the button stays, so that it keeps the focus: without it, Escape would no longer reach the dialog. */}
            {(isFinished || isSent) && (
              <Button onPress={() => void redeliver()} isPending={!isFinished}>
                {say.redeliver}
              </Button>
            )}
          </>
        )
      }
    >
      {isPending && <Skeleton />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {failure !== undefined && <Problem error={failure} />}
      {data && (
        <>
          <p className={style.answer}>
            <DeliveryState state={data.state} />
            <span>{eventName(data.event, say)}</span>
            <span className={style.url} dir="ltr">
              {data.url}
            </span>
            {data.next_attempt_at !== undefined && (
              <span className="muted">
                {say.nextAttempt}: <time dateTime={data.next_attempt_at}>{formats.exact(data.next_attempt_at)}</time>
              </span>
            )}
            {data.reason !== undefined && <span className="muted">{reasonSentence(data.reason, say)}</span>}
          </p>
          <p className={style.copyLine}>
            {/* The `webhook-id` of a batch is that of the batch. */}
            <span className="muted">{data.attempts.some(({ batch_id: batchId }) => batchId !== undefined) ? 'id' : 'webhook-id'}</span>{' '}
            <code>{data.id}</code> <CopyButton text={data.id} isIcon />
          </p>
          {data.attempts.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} body={data.body} />
          ))}
          <h3>{say.body}</h3>
          {data.body === undefined || data.body === '' ? (
            <p className="muted">{say.bodyErased}</p>
          ) : (
            <Code label={say.body}>{data.body}</Code>
          )}
        </>
      )}
    </Dialog>
  );
}

/** How long each step of an attempt took, and the certificate that it saw. */
function Connection({
  of: { reused, dns_ms, connect_ms, tls_ms, first_byte_ms, tls },
}: {
  of: NonNullable<DeliveryAttempt['connection']>;
}) {
  const say = useWords('webhooks');
  const formats = useFormats();
  const steps = Object.entries({ [say.stepDns]: dns_ms, [say.stepConnect]: connect_ms, TLS: tls_ms, [say.stepAnswer]: first_byte_ms });
  const times = steps.flatMap(([name, ms]) => (ms === undefined ? [] : `${name} ${say.duration(formats.number(ms))}`));
  const facts = [
    ...(reused ? [say.reused] : []),
    ...times,
    ...(tls?.protocol === undefined ? [] : [tls.protocol]),
    ...(tls?.issuer === undefined ? [] : [say.issuedBy(tls.issuer)]),
    ...(tls?.expires_at === undefined ? [] : [say.expires(formats.date(tls.expires_at))]),
  ];
  return facts.length === 0 ? null : <p className="muted">{facts.join(' · ')}</p>;
}

/** Why a delivery was cancelled, or failed without an attempt. */
function reasonSentence(reason: string, say: Words['webhooks']): string {
  const sentences: Record<string, string> = {
    gone: say.cancelledGone,
    failing: say.cancelledFailing,
    ended: say.cancelledEnded,
    event_removed: say.cancelledEvent,
    filtered: say.cancelledFiltered,
    erased: say.cancelledErased,
    backlog_full: say.backlogFull,
    restored: say.restoredFromBackup,
  };
  return sentences[reason] ?? reason;
}

function Attempt({
  attempt: { number, started_at: startedAt, duration_ms: ms, status, error, code, url, headers, response, connection, batch_id: batchId },
  body,
}: {
  attempt: DeliveryAttempt;
  body: string | undefined;
}) {
  const say = useWords('webhooks');
  const formats = useFormats();
  const isUnderWay = status === undefined && error === undefined;
  const hasArrived = status !== undefined && status >= 200 && status < 300;
  return (
    <section className={style.attempt} aria-label={say.attempt(number)}>
      <p className={style.answer}>
        <strong>{say.attempt(number)}</strong>
        <time dateTime={startedAt}>{formats.exact(startedAt)}</time>
        <Badge tone={isUnderWay ? 'waiting' : hasArrived ? 'good' : 'bad'}>{isUnderWay ? say.underWay : (status ?? say.noAnswer)}</Badge>
        {ms !== undefined && <span className="muted">{say.duration(formats.number(ms))}</span>}
      </p>
      {batchId !== undefined && (
        <p className={style.copyLine}>
          <span className="muted">{say.inBatch}</span> <code>{batchId}</code> <CopyButton text={batchId} isIcon />
        </p>
      )}
      <Why failed={{ status, error, code }} response={response} />
      {connection && <Connection of={connection} />}
      {headers && (
        <details>
          <summary>{say.request}</summary>
          <Code label={say.headers}>{`POST ${url ?? ''}\n${headerLines(headers)}`}</Code>
          {/* A request that was a batch had a longer body, which this reader may not read. */}
          {url !== undefined && batchId === undefined && body !== undefined && body !== '' && (
            <CopyButton text={curlOf({ url, headers, body })} label={say.copyAsCurl} />
          )}
        </details>
      )}
    </section>
  );
}
