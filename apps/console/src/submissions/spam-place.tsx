import { listSpamSubmissions, type FormSettingsDetail, type SpamSubmission } from '@sheaf/client';
import { ShieldCheck } from 'lucide-react';
import { client } from '../api/client';
import { mayEdit } from '../form/form';
import { Button } from '../parts/button';
import { Badge, Empty } from '../parts/states';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import { restore, setSpam, trash } from './deeds';
import { PlaceList, placePage, usePlace } from './place-list';
import { useRun } from './use-deeds';

/** The submissions taken for spam, with the reason: released it counts and is announced like any other; kept here it is neither. */
export function SpamPlace({ form }: { form: FormSettingsDetail }) {
  const say = useWords('submissions');
  const place = usePlace<SpamSubmission>(form.id, 'spam', (offset, signal) =>
    listSpamSubmissions({ client, path: { id: form.id }, query: placePage(offset), signal }),
  );
  const { run } = useRun(form.id);
  const reasons: Readonly<Record<string, string | undefined>> = {
    honeypot: say.spam_honeypot,
    too_fast: say.spam_too_fast,
    too_many_links: say.spam_too_many_links,
    no_proof: say.spam_no_proof,
    checker: say.spam_checker,
    marked: say.spam_marked,
  };
  const release = (ids: string[]) =>
    run(ids, (some, onProgress, signal) => setSpam({ form: form.id, ids: some, onProgress, signal }, false), {
      onDone: (done) => {
        place.reload();
        toast({
          text: say.released(done.length),
          onUndo: () =>
            run(done, (some, onProgress, signal) => setSpam({ form: form.id, ids: some, onProgress, signal }, true), {
              onDone: place.reload,
            }),
        });
      },
    });
  const remove = (ids: string[]) =>
    run(ids, (some, onProgress, signal) => trash({ form: form.id, ids: some, onProgress, signal }), {
      onDone: (done) => {
        place.reload();
        toast({
          text: say.trashed(done.length),
          onUndo: () =>
            run(done, (some, onProgress, signal) => restore({ form: form.id, ids: some, onProgress, signal }), { onDone: place.reload }),
        });
      },
    });
  return (
    <>
      <p className="muted">{say.spamHelp}</p>
      <PlaceList
        form={form}
        place={place}
        label={say.placeSpam}
        facts={(item) => <Badge tone="waiting">{reasons[item.spam_reason] ?? item.spam_reason}</Badge>}
        actions={
          mayEdit(form)
            ? (items, clear) => {
                const act = (deed: (ids: string[]) => void) => () => {
                  deed(items.map(({ id }) => id));
                  clear();
                };
                return (
                  <>
                    <Button isSmall onPress={act(release)}>
                      {say.release}
                    </Button>
                    <Button isSmall look="quiet" onPress={act(remove)}>
                      {say.moveToTrash}
                    </Button>
                  </>
                );
              }
            : undefined
        }
        empty={
          <Empty icon={ShieldCheck} title={say.noSpam}>
            {say.noSpamHelp}
          </Empty>
        }
      />
    </>
  );
}
