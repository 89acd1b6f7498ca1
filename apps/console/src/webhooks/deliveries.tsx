import { listDeliveries, type Delivery } from '@sheaf/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Loaded, LoadMore } from '../parts/loaded';
import { PageHead } from '../parts/page';
import { RowButton, Rows } from '../parts/rows';
import { Since } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { DeliveryFilters } from './delivery-filters';
import { DeliveryPanel } from './delivery-panel';
import { DeliveryState } from './delivery-state';
import { eventName } from './event-names';
import { isFiltered, queryOf, type DeliveryFilter } from './delivery-query';
import { pollWhilePending } from './pending';
import { RedeliverDialog } from './redeliver-dialog';
import { addressOf, resendFrom, resendOf } from './resend';
import { ResendDialog } from './resend-dialog';
import style from './webhooks.module.css';

/** The filters and the open delivery, which are in the address. */
export interface DeliverySearch extends DeliveryFilter {
  delivery?: string | undefined;
  /** Everything that is sent again from a delivery on, as `addressOf` writes it. */
  resend?: string | undefined;
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
  onSearch: (change: DeliverySearch, how?: { replace: boolean }) => void;
  isReadOnly: boolean;
}) {
  const say = useWords('webhooks');
  const pages = useDeliveries(formId, search);
  const isEmpty = pages.data?.pages.every((page) => page.data.length === 0) === true;
  const resend = resendOf(search.resend ?? '');
  const [isRedelivering, setIsRedelivering] = useState(false);
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
      <DeliveryFilters formId={formId} filter={search} onFilter={(filter) => onSearch({ ...filter, delivery: search.delivery })} />
      <Loaded query={pages}>
        {(data) => {
          const deliveries = data.pages.flatMap((page) => page.data);
          if (deliveries.length === 0)
            return (
              <p className="muted">
                {pages.hasNextPage ? say.deliveriesNoneYet : isFiltered(search) ? say.deliveriesEmptyFilter : say.deliveriesEmpty}
              </p>
            );
          return <DeliveryTable deliveries={deliveries} onOpen={(delivery) => onSearch({ ...search, delivery })} />;
        }}
      </Loaded>
      <LoadMore pages={pages} {...(isEmpty ? { label: say.lookFurther } : {})} />
      {search.delivery !== undefined && (
        <DeliveryPanel
          formId={formId}
          deliveryId={search.delivery}
          isReadOnly={isReadOnly}
          onResend={(delivery) => onSearch({ ...search, delivery: undefined, resend: addressOf(resendFrom(delivery, new Date())) })}
          onClose={() => onSearch({ ...search, delivery: undefined })}
        />
      )}
      {resend && !isReadOnly && (
        <ResendDialog
          formId={formId}
          resend={resend}
          onChange={(changed) => onSearch({ ...search, resend: addressOf(changed) }, { replace: true })}
          onClose={() => onSearch({ ...search, resend: undefined })}
        />
      )}
      {isRedelivering && <RedeliverDialog formId={formId} webhookId={search.webhook} onClose={() => setIsRedelivering(false)} />}
    </>
  );
}

function useDeliveries(formId: string, search: DeliverySearch) {
  const query = queryOf(search);
  return useInfiniteQuery({
    queryKey: ['form', formId, 'deliveries', query],
    queryFn: ({ pageParam, signal }) =>
      listDeliveries({
        client,
        path: { id: formId },
        query: { limit: 50, ...query, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) => pollWhilePending(data?.pages.flatMap((page) => page.data)),
  });
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
