import { listDeliveries, type Delivery, type DeliveryState as State, type HookEvent } from '@sheaf/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Select, type Option } from '../parts/fields';
import { Loaded, LoadMore } from '../parts/loaded';
import { PageHead } from '../parts/page';
import { RowButton, Rows } from '../parts/rows';
import { Since } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { DeliveryPanel } from './delivery-panel';
import { DeliveryState } from './delivery-state';
import { eventName, sentEvents } from './event-names';
import { pollWhilePending } from './pending';
import { RedeliverDialog } from './redeliver-dialog';
import { ofForm } from './webhook-place';
import { useWebhooks } from './webhooks-of';
import style from './webhooks.module.css';

/** The filters and the open delivery, which are in the address. */
export interface DeliverySearch {
  webhook?: string | undefined;
  state?: string | undefined;
  event?: string | undefined;
  submission?: string | undefined;
  delivery?: string | undefined;
}

/** The deliveries of a form and their outcomes, newest first. */
export function Deliveries({
  formId,
  search,
  onSearch,
  isReadOnly,
}: {
  formId: string;
  search: DeliverySearch;
  onSearch: (change: DeliverySearch) => void;
  isReadOnly: boolean;
}) {
  const say = useWords('webhooks');
  const pages = useDeliveries(formId, search);
  const [isRedelivering, setIsRedelivering] = useState(false);
  const isFiltered =
    search.webhook !== undefined || search.state !== undefined || search.event !== undefined || search.submission !== undefined;
  return (
    <>
      <PageHead
        level={2}
        title={say.deliveries}
        actions={
          !isReadOnly && (
            <Button icon={RotateCw} onPress={() => setIsRedelivering(true)}>
              {say.redeliverRange}
            </Button>
          )
        }
      />
      <Filters formId={formId} search={search} onSearch={onSearch} />
      <Loaded query={pages}>
        {(data) => {
          const deliveries = data.pages.flatMap((page) => page.data);
          if (deliveries.length === 0) return <p className="muted">{isFiltered ? say.deliveriesEmptyFilter : say.deliveriesEmpty}</p>;
          return <DeliveryTable deliveries={deliveries} onOpen={(delivery) => onSearch({ ...search, delivery })} />;
        }}
      </Loaded>
      <LoadMore pages={pages} />
      {search.delivery !== undefined && (
        <DeliveryPanel
          formId={formId}
          deliveryId={search.delivery}
          isReadOnly={isReadOnly}
          onClose={() => onSearch({ ...search, delivery: undefined })}
        />
      )}
      {isRedelivering && <RedeliverDialog formId={formId} webhookId={search.webhook} onClose={() => setIsRedelivering(false)} />}
    </>
  );
}

function useDeliveries(formId: string, { webhook, state, event, submission }: DeliverySearch) {
  return useInfiniteQuery({
    queryKey: ['form', formId, 'deliveries', { webhook, state, event, submission }],
    queryFn: ({ pageParam, signal }) =>
      listDeliveries({
        client,
        path: { id: formId },
        // An unknown state or event in the address is the server's to refuse, by its name.
        query: {
          limit: 50,
          ...(webhook === undefined ? {} : { subscription_id: webhook }),
          ...(state === undefined ? {} : { state: state as State }),
          ...(event === undefined ? {} : { event: event as HookEvent }),
          ...(submission === undefined ? {} : { submission_id: submission }),
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) => pollWhilePending(data?.pages.flatMap((page) => page.data)),
  });
}

function Filters({ formId, search, onSearch }: { formId: string; search: DeliverySearch; onSearch: (change: DeliverySearch) => void }) {
  const say = useWords('webhooks');
  const stateNames = useWords('deliveries').states;
  const { data } = useWebhooks(ofForm(formId));
  const all = '';
  const states: Option<string>[] = [
    { value: all, label: say.anyState },
    { value: 'failed', label: stateNames.failed },
    { value: 'pending', label: stateNames.pending },
    { value: 'succeeded', label: stateNames.succeeded },
    { value: 'cancelled', label: stateNames.cancelled },
    { value: 'skipped', label: stateNames.skipped },
  ];
  const events = [{ value: all, label: say.anyEvent }, ...sentEvents.map((event) => ({ value: event, label: eventName(event, say) }))];
  const webhooks = [{ value: all, label: say.allWebhooks }, ...(data?.data ?? []).map(({ id, url }) => ({ value: id, label: url }))];
  const change = (name: 'webhook' | 'state' | 'event') => (value: string) =>
    onSearch({ ...search, [name]: value === all ? undefined : value });
  return (
    <div className={style.filters}>
      <Select label={say.webhook} options={webhooks} value={search.webhook ?? all} onChange={change('webhook')} />
      <Select label={say.state} options={states} value={search.state ?? all} onChange={change('state')} />
      <Select label={say.event} options={events} value={search.event ?? all} onChange={change('event')} />
      {search.submission !== undefined && (
        <Button look="quiet" icon={X} onPress={() => onSearch({ ...search, submission: undefined })}>
          {say.ofOneSubmission}
        </Button>
      )}
    </div>
  );
}

function DeliveryTable({ deliveries, onOpen }: { deliveries: readonly Delivery[]; onOpen: (id: string) => void }) {
  const say = useWords('webhooks');
  const formats = useFormats();
  return (
    <Rows
      label={say.deliveries}
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          head: say.time,
          cell: ({ id, created_at: time }) => <RowButton onClick={() => onOpen(id)}>{formats.dateTime(time)}</RowButton>,
        },
        { head: say.event, cell: ({ event }) => eventName(event, say) },
        {
          head: say.address,
          cell: ({ url }) => (
            <span className={style.url} dir="ltr">
              {url}
            </span>
          ),
        },
        {
          head: say.state,
          cell: ({ state, next_attempt_at: next }) => (
            <span className={style.facts}>
              <DeliveryState state={state} />
              {next !== undefined && (
                <span className="muted">
                  {say.nextAttempt}: <Since time={next} />
                </span>
              )}
            </span>
          ),
        },
        { head: say.attempts, cell: (delivery) => formats.number(delivery.attempt_count) },
      ]}
    />
  );
}
