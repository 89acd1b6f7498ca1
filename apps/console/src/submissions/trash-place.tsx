import { listTrashedSubmissions, type FormSettingsDetail, type TrashedSubmission } from '@sheaf/client';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { isOwner, mayEdit } from '../form/form';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Empty, Since } from '../parts/states';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import { erase, restore, trash } from './deeds';
import { PlaceList, placePage, usePlace } from './place-list';
import { useActs } from './use-deeds';

/** The trash of a form: what is in it comes back, or is erased for good by owners. */
export function TrashPlace({ form }: { form: FormSettingsDetail }) {
  const say = useWords('submissions');
  const place = usePlace<TrashedSubmission>(form.id, 'trash', (offset, signal) =>
    listTrashedSubmissions({ client, path: { id: form.id }, query: placePage(offset), signal }),
  );
  const act = useActs(form.id, place.reload);
  const [erasing, setErasing] = useState<readonly string[]>([]);
  const bringBack = (ids: string[]) => act(ids, say.restored, { deed: restore, back: trash });
  const eraseAll = async () => {
    await erase({ form: form.id, ids: erasing, onProgress: place.reload });
    toast({ text: say.erased(erasing.length) });
  };
  return (
    <>
      <p className="muted">{form.retention?.trash_days === undefined ? say.trashHelp : say.trashDays(form.retention.trash_days)}</p>
      <PlaceList
        form={form}
        place={place}
        label={say.placeTrash}
        facts={(item) => (
          <span className="muted">
            {say.deleted} <Since time={item.deleted_at} />
          </span>
        )}
        actions={
          mayEdit(form)
            ? (items, clear) => (
                <>
                  <Button
                    isSmall
                    onPress={() => {
                      bringBack(items.map(({ id }) => id));
                      clear();
                    }}
                  >
                    {say.restore}
                  </Button>
                  {isOwner(form) && form.legal_hold !== true && (
                    <Button isSmall look="danger" onPress={() => setErasing(items.map(({ id }) => id))}>
                      {say.erase}
                    </Button>
                  )}
                </>
              )
            : undefined
        }
        empty={<Empty icon={Trash2} title={say.emptyTrash} />}
      />
      {erasing.length > 0 && (
        <ConfirmDialog title={say.eraseTitle(erasing.length)} onClose={() => setErasing([])} submitLabel={say.erase} onSubmit={eraseAll}>
          {say.eraseHelp}
        </ConfirmDialog>
      )}
    </>
  );
}
