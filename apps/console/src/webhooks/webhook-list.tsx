import type { Webhook } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { FlaskConical, KeyRound, MoreHorizontal, Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Menu, MenuItem, MenuSeparator } from '../parts/menu';
import { Rows } from '../parts/rows';
import { Since } from '../parts/states';
import { toast } from '../parts/toasts';
import { problemSentence } from '../api/problem-sentence';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { eventName } from './event-names';
import { NewSecretDialog } from './new-secret';
import { SkippedDialog } from './skipped-dialog';
import { TestDialog } from './test-dialog';
import { WebhookDialog } from './webhook-dialog';
import type { WebhookPlace } from './webhook-place';
import { WebhookState } from './webhook-state';
import style from './webhooks.module.css';

type What = 'edit' | 'test' | 'delete' | 'skipped' | 'secret';
type Opened = { what: What; webhook: Webhook } | undefined;

/** The webhooks of a place. Those that a platform subscribed are its own: they can be tested and deleted here, but not changed. */
export function WebhookList({ webhooks, place, isReadOnly }: { webhooks: readonly Webhook[]; place: WebhookPlace; isReadOnly: boolean }) {
  const say = useWords('webhooks');
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<Opened>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: place.key });
  const close = () => setOpened(undefined);
  return (
    <>
      <Rows
        label={say.title}
        rows={webhooks}
        keyOf={({ id }) => id}
        columns={[
          { head: say.address, cell: (webhook) => <Address webhook={webhook} place={place} /> },
          { head: say.events, cell: ({ events }) => events.map((event) => eventName(event, say)).join(', ') },
          { head: say.status, cell: (webhook) => <WebhookState webhook={webhook} /> },
          {
            head: say.lastDelivered,
            cell: ({ last_delivered_at: time }) =>
              time === undefined ? <span className="muted">{say.never}</span> : <Since time={time} />,
          },
          !isReadOnly && {
            head: say.actionsOf(''),
            kind: 'actions',
            cell: (webhook) => (
              <Actions
                webhook={webhook}
                place={place}
                onOpen={(what, changed = webhook) => setOpened({ what, webhook: changed })}
                onChanged={refresh}
              />
            ),
          },
        ]}
      />
      {opened?.what === 'edit' && (
        <WebhookDialog
          webhook={opened.webhook}
          fields={place.fields}
          onClose={close}
          onSubmit={async (request) => {
            const saved = await place.update(opened.webhook.id, request);
            await refresh();
            return saved;
          }}
        />
      )}
      {opened?.what === 'secret' && (
        <NewSecretDialog
          webhook={opened.webhook}
          onClose={close}
          onSubmit={async () => {
            const saved = await place.update(opened.webhook.id, { new_secret: true });
            await refresh();
            return saved;
          }}
        />
      )}
      {opened?.what === 'skipped' && opened.webhook.skipped && (
        <SkippedDialog webhook={opened.webhook} skipped={opened.webhook.skipped} onClose={close} />
      )}
      {opened?.what === 'test' && <TestDialog webhook={opened.webhook} place={place} onClose={close} />}
      {opened?.what === 'delete' && (
        <ConfirmDialog
          title={say.deleteTitle}
          onClose={close}
          submitLabel={say.delete}
          onSubmit={async () => {
            await place.remove(opened.webhook.id);
            await refresh();
            toast({ text: say.deleteDone });
          }}
        >
          <p className={style.url}>{opened.webhook.url}</p>
          <p>{say.deleteHelp}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** A wider webhook shows in the lists of its forms too. */
function Address({ webhook: { url, source, scope, withheld }, place }: { webhook: Webhook; place: WebhookPlace }) {
  const say = useWords('webhooks');
  const formats = useFormats();
  return (
    <span className={style.facts}>
      <span className={style.url} dir="ltr">
        {url}
      </span>
      {source !== 'application' && <span className="muted">{say.madeBy(source)}</span>}
      {withheld && <span className="muted">{say.withheld(formats.number(withheld.count))}</span>}
      {scope !== place.kind && <span className="muted">{scope === 'workspace' ? say.wholeWorkspace : say.wholeInstance}</span>}
    </span>
  );
}

function Actions({
  webhook,
  place,
  onOpen,
  onChanged,
}: {
  webhook: Webhook;
  place: WebhookPlace;
  onOpen: (what: What, changed?: Webhook) => void;
  onChanged: () => Promise<void>;
}) {
  const say = useWords('webhooks');
  const language = useLanguage();
  const isOwn = webhook.source === 'application' && webhook.scope === place.kind;
  const setActive = async () => {
    try {
      const changed = await place.update(webhook.id, { active: !webhook.active });
      await onChanged();
      if (changed.active && changed.skipped) onOpen('skipped', changed);
    } catch (error) {
      toast({ text: problemSentence(error, language).title });
    }
  };
  return (
    <Menu label={say.actionsOf(webhook.url)} trigger={<IconButton isSmall icon={MoreHorizontal} label={say.actionsOf(webhook.url)} />}>
      <MenuItem icon={FlaskConical} onAction={() => onOpen('test')}>
        {say.test}
      </MenuItem>
      {isOwn && (
        <>
          <MenuItem icon={Pencil} onAction={() => onOpen('edit')}>
            {say.edit}
          </MenuItem>
          {webhook.signature === 'v1' && (
            <MenuItem icon={KeyRound} onAction={() => onOpen('secret')}>
              {say.newSecret}
            </MenuItem>
          )}
          <MenuItem icon={Power} onAction={() => void setActive()}>
            {webhook.active ? say.switchOff : say.switchOn}
          </MenuItem>
        </>
      )}
      {webhook.scope === place.kind && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} isDanger onAction={() => onOpen('delete')}>
            {say.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
