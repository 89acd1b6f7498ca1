import type { Webhook } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, ShieldCheck, Webhook as WebhookIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../parts/button';
import { PageHead } from '../parts/page';
import { Problem } from '../parts/problem';
import { Empty, Skeleton } from '../parts/states';
import { useWords } from '../words/use-words';
import { WebhookDialog } from './webhook-dialog';
import { WebhookList } from './webhook-list';
import type { WebhookPlace } from './webhook-place';

const VerifyDialog = lazy(() => import('./verify-dialog').then(({ VerifyDialog: dialog }) => ({ default: dialog })));

export const useWebhooks = (place: WebhookPlace) => useQuery({ queryKey: [...place.key], queryFn: ({ signal }) => place.list(signal) });

/** The webhooks of a form, a workspace or the instance: the list, a new one, and how to verify what they send. */
export function WebhooksOf({ place, isReadOnly, level = 2 }: { place: WebhookPlace; isReadOnly: boolean; level?: 1 | 2 }) {
  const say = useWords('webhooks');
  const queryClient = useQueryClient();
  const { data, error, isPending, refetch } = useWebhooks(place);
  const [opened, setOpened] = useState<'new' | 'verify'>();
  const create = (
    <Button look="primary" icon={Plus} onPress={() => setOpened('new')}>
      {say.newWebhook}
    </Button>
  );
  const webhooks: readonly Webhook[] = data?.data ?? [];
  return (
    <>
      <PageHead
        level={level}
        title={say.title}
        help={say.help}
        actions={
          <>
            <Button icon={ShieldCheck} onPress={() => setOpened('verify')}>
              {say.verify}
            </Button>
            {!isReadOnly && webhooks.length > 0 && create}
          </>
        }
      />
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && webhooks.length === 0 && (
        <Empty icon={WebhookIcon} title={say.emptyTitle} actions={isReadOnly ? undefined : create}>
          {isReadOnly ? say.emptyViewer : say.emptyHelp}
        </Empty>
      )}
      {webhooks.length > 0 && <WebhookList webhooks={webhooks} place={place} isReadOnly={isReadOnly} />}
      {opened === 'new' && (
        <WebhookDialog
          fields={place.fields}
          onClose={() => setOpened(undefined)}
          onSubmit={async (request) => {
            const created = await place.create(request);
            await queryClient.invalidateQueries({ queryKey: [...place.key] });
            return created;
          }}
        />
      )}
      <Suspense>{opened === 'verify' && <VerifyDialog onClose={() => setOpened(undefined)} />}</Suspense>
    </>
  );
}
